"""`companion check BEFORE AFTER ...`: was it played by the rules, and if not, which move broke which."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from companion.cli import output, tables
from companion.cli.options import JsonOption, LanguageOption, RulesOption, StockOption, file_named
from companion.cli.seen import Loaded, load_pile, load_table
from companion.engine.audit import (
    Audit,
    Placed,
    Reason,
    Verdict,
    audit_discard,
    audit_log,
    audit_tables,
    parse_log,
    say,
)
from companion.formats.files import decode
from companion.game import CompanionError, Position, Rules
from companion.game.letters import check_language, show

_LOOK = {"legal": "green", "illegal": "bold red", "impossible": "bold magenta", "unreadable": "bold yellow"}
_SIGN = {"legal": "✓", "illegal": "✗", "impossible": "≠", "unreadable": "?"}
_WRITABLE = (".png", ".jpg", ".jpeg", ".webp")


def register(app: typer.Typer) -> None:
    app.command("check")(check)


def check(
    boards: Annotated[
        list[str],
        typer.Argument(metavar="BEFORE [AFTER ...]", help="Tables in time order: photos, boards, or -."),
    ],
    rules: RulesOption = "strict",
    discard: Annotated[
        str | None,
        typer.Option(
            "--discard", metavar="FILE", help="The whole discard after BEFORE, typed or on a photo."
        ),
    ] = None,
    log: Annotated[
        str | None,
        typer.Option("--log", metavar="FILE", help="The moves made from BEFORE, typed or in JSON."),
    ] = None,
    redeal: Annotated[
        bool, typer.Option("--redeal", help="Say whether any order of the stock can clear BEFORE.")
    ] = False,
    stock: StockOption = None,
    overlay: Annotated[
        Path | None,
        typer.Option("--overlay", "-o", metavar="OUT.png", help="Draw the tables, changed cards marked."),
    ] = None,
    language: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Say whether each table can follow from the one before, and which move broke which rule."""
    check_language(language)
    agreed = Rules.parse(rules)
    if overlay is not None and overlay.suffix.lower() not in _WRITABLE:
        raise CompanionError(f"the picture can be written as {', '.join(_WRITABLE)}: {overlay.name!r}")
    if sum([discard is not None, log is not None, redeal, len(boards) > 1]) != 1:
        raise CompanionError(
            f"check takes BEFORE and AFTER, or one board and --discard, --log or --redeal: {boards!r}"
        )
    loaded = [
        load_table(board, agreed, stock_count=stock if number == 0 else None, language=language)
        for number, board in enumerate(boards)
    ]
    start = loaded[0].position
    if redeal:
        _redeal(start, language, json)
        return
    if discard is not None:
        doubts = [(place, seen) for place, seen in loaded[0].table.places(0) if not seen.sure]
        audit = audit_discard(start, load_pile(discard, agreed, language), doubts)
    elif log is not None:
        audit = audit_log(start, parse_log(decode(file_named(log).read_bytes()), language))
    else:
        audit = audit_tables([one.table for one in loaded])
    if overlay is not None:
        from companion.cli.pictures import draw_steps

        draw_steps(loaded, audit, language).save(overlay)
    if json:
        output.emit(document(agreed, audit))
    elif len(loaded) > 1:
        _show_tables(loaded, audit, language)
    else:
        _show_moves(start, audit, language)


def document(rules: Rules, audit: Audit) -> dict[str, Any]:
    """The JSON of `--json`, schema `companion.check/1`."""
    score = audit.score
    return {
        "schema": "companion.check/1",
        "rules": str(rules),
        "verdict": audit.verdict,
        "steps": [_step(step) for step in audit.steps],
        "hole": None
        if score is None
        else {
            "counts": score.counts,
            "strokes": score.strokes,
            "exact": score.exact,
            "message": score.message,
        },
    }


def _step(step: Verdict) -> dict[str, Any]:
    remedy = step.remedy
    return {
        "verdict": step.verdict,
        "draws": step.draws,
        "moves": [str(move) for move in step.moves],
        "why": step.why,
        "cards": [str(card) for card in step.cards],
        "faults": [
            {
                "rule": fault.rule,
                "card": str(fault.card) if fault.card else None,
                "column": fault.column,
                "to": fault.to,
                "onto": str(fault.onto) if fault.onto else None,
                "move": fault.move,
                "message": fault.message,
            }
            for fault in step.faults
        ],
        "put_right": None
        if remedy is None
        else {
            "kind": remedy.kind,
            "sure": remedy.sure,
            "message": remedy.message,
            "back": [
                {
                    "card": str(one.card),
                    "lies": one.lies,
                    "belongs": one.belongs,
                    "under": [str(card) for card in one.under],
                }
                for one in remedy.back
            ],
        },
        "ask": [
            {
                "table": ask.place.table if ask.place.table >= 0 else None,
                "column": ask.place.column,
                "row": ask.place.row,
                "card": str(ask.read),
                "alternatives": None if ask.others is None else [str(card) for card in ask.others],
            }
            for ask in step.ask
        ],
    }


def _show_tables(loaded: list[Loaded], audit: Audit, language: str) -> None:
    console = output.console()
    for number, step in enumerate(audit.steps):
        before, after = loaded[number].name, loaded[number + 1].name
        console.print(_headline(step.verdict, f"{before} → {after}", language))
        for reason in step.reasons:
            console.print(f"  {_say([reason], language)}", markup=False)
        _runs(console, step, language)
        _aftermath(console, step, language)
    # Of tables of two deals none tells how the hole stands.
    if audit.score is not None and audit.verdict != "impossible":
        console.print(f"\n  {_say([audit.score.reason], language)}", markup=False)


def _show_moves(start: Position, audit: Audit, language: str) -> None:
    console = output.console()
    console.print(tables.drawn(start, language))
    console.print()
    for number, step in enumerate(audit.steps, 1):
        words = _words(step.moves[0], language) if step.moves else ""
        if step.verdict == "legal":
            console.print(Text.assemble((f"  {number:3d} ✓ ", "green"), words))
            _aftermath(console, step, language, "        ")
            continue
        console.print(Text.assemble((f"  {number:3d} {_SIGN[step.verdict]} ", _LOOK[step.verdict]), words))
        console.print(f"        {_say(step.reasons, language)}", markup=False)
        _aftermath(console, step, language, "        ")
    wrong = sum(step.verdict in ("illegal", "impossible") for step in audit.steps)
    unread = sum(step.verdict == "unreadable" for step in audit.steps)
    code = "moves.open" if unread else "moves" if wrong else "moves.right"
    counted = Reason.of(code, moves=len(audit.steps), wrong=wrong, open=unread)
    console.print(_headline(audit.verdict, _say([counted], language), language))
    if audit.score is not None:
        console.print(f"  {_say([audit.score.reason], language)}", markup=False)


def _headline(verdict: str, about: str, language: str) -> Text:
    word = _say([Reason.of(f"verdict.{verdict}")], language).upper()
    return Text.assemble((f"\n{_SIGN[verdict]} {word}", _LOOK[verdict]), f"  {about}")


def _runs(console: Console, step: Verdict, language: str) -> None:
    """The moves, a line for each draw and what was played on it."""
    wrong = {fault.move for fault in step.faults}
    lines: list[Text] = []
    for number, move in enumerate(step.moves):
        if move.column is None or not lines:
            word = _say([Reason.of("draw" if move.column is None else "play")], language)
            lines.append(Text(f"    {word} ", style="dim"))
        word = _card_words(move, language)
        lines[-1].append(f"{word} ", style="bold red underline" if number in wrong else "")
        if number in wrong:
            lines[-1].append("✗ ", style="bold red")
    for line in lines:
        console.print(line)


def _say(reasons: Sequence[Reason], language: str) -> str:
    return "; ".join(say(reason, language, lambda card: show(card, language)) for reason in reasons)


def _aftermath(console: Console, step: Verdict, language: str, indent: str = "  ") -> None:
    if step.remedy is not None:
        console.print(f"{indent}→ {_say([step.remedy.reason], language)}", markup=False, style="bold")
    for ask in step.ask:
        read = show(ask.read, language)
        if ask.others:
            read += f" ({', '.join(show(card, language) for card in ask.others)})"
        console.print(f"{indent}? {_say([ask.place.reason], language)}: {read}", markup=False)


def _words(move: Placed, language: str) -> str:
    code = "draw-card" if move.column is None else "play-from"
    return _say([Reason.of(code, card=_card_words(move, language), column=(move.column or 0) + 1)], language)


def _card_words(move: Placed, language: str) -> str:
    word = show(move.card, language)
    # A card that was only supposed to be drawn: its rank matters, its suit is anyone's guess.
    return word[:-1] + "?" if move.supposed and move.card.suit else word


def _redeal(position: Position, language: str, json: bool) -> None:
    from companion.engine import clearable

    answer = clearable(position)
    if json:
        output.emit(
            {
                "schema": "companion.check/1",
                "rules": str(position.rules),
                "redeal": {
                    "clearable": answer.possible,
                    "why": answer.reason,
                    "draws": answer.draws if answer.possible else None,
                    "allowed": position.rules.redeal_impossible and not answer.possible,
                },
                "steps": [],
            }
        )
        return
    console = output.console()
    console.print(tables.drawn(position, language))
    if answer.possible:
        said = [Reason.of("redeal.can", draws=answer.draws)]
    else:
        may = "redeal.may" if position.rules.redeal_impossible else "redeal.may-not"
        said = [Reason.of("redeal.cannot", reason=answer.why), Reason.of(may)]
    console.print()
    for reason in said:
        console.print(f"  {_say([reason], language)}", markup=False)
