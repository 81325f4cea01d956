"""Codes of the game, the photo and the store in the words of the screens."""

from __future__ import annotations

from companion.app.components.look import Look
from companion.app.components.trouble import QUOTED, sentence
from companion.app.services.auditor import Broken
from companion.app.state.play import Notice
from companion.app.state.trouble import Trouble


def _no_hint(look: Look, notice: Notice) -> str:
    trouble = notice.trouble or Trouble("wrong")
    if trouble.code not in QUOTED:
        return sentence(look, trouble)
    return look.t("There is no hint for this table: {reason}", reason=trouble.reason)


def illegal(look: Look, notice: Notice) -> str:
    """Why something can't be done, in one sentence."""
    t = look.t
    card = look.card(notice.card) if notice.card else ""
    top = look.card(notice.top) if notice.top else ""
    known = {
        "over": t("The hole is over."),
        "no-column": t("There is no such column."),
        "empty-column": t("This column is empty."),
        "unread": t("First say which card this is."),
        "wrong-rank": t(
            "{card} doesn't go on {top}: only one rank higher or lower does.", card=card, top=top
        ),
        "on-king": t("By your rules {card} may not follow a king.", card=card),
        "on-queen": t("Nothing may follow a queen that was played on a king."),
        "joker-rank": t("The joker can't be played now."),
        "stock-empty": t("The stock is used up."),
        "play-first": t("Begin with a card of the tableau: any exposed card opens the discard."),
        "play-possible": t(
            "By your rules you may only draw when nothing can be played, and {card} can.",
            card=card or t("a card"),
        ),
        "not-next": t("Another card comes next from the stock."),
        "on-table": t("{card} lies on the table already, so it can't come from the stock.", card=card),
        "photo-unclear": t("The photo doesn't show clearly which card came. Please tap it."),
        "no-hint": _no_hint(look, notice),
        "card-twice": t("{card} is on the table twice.", card=card),
        "rank-too-often": t("A rank is on the table more often than there are cards of it."),
        "joker-not-in-deck": t("There is a joker, but by your rules the deck has none."),
        "too-many-cards": t("There are more cards on the table than in the deck."),
        "too-many-columns": t("There are more columns than your rules deal."),
        "column-too-long": t("A column holds more cards than your rules deal."),
        "unread-card": t("A card is not read yet."),
        "stock-count": t("The number of cards in the stock can't be right."),
        "discard-empty": t("The discard is empty. Which card lies on it?"),
        "queen-below": t("Whether something may follow this queen depends on the card under her."),
    }
    return known.get(notice.code, notice.text or notice.code)


def photo_problem(look: Look, code: str) -> str:
    """A warning about a photo, with what to do."""
    t = look.t
    known = {
        "too-dark": t("Too dark. More light, please."),
        "blurred": t("Blurred. Hold still, tap to focus."),
        "glare": t("Glare on the cards. Move the light or the camera."),
        "too-far": t("Too far away. Come closer."),
        "cut-off": t("Part of the table is cut off. Step back a little."),
        "no-cards": t("No cards were found. Photograph the table from above."),
        "discard-unclear": t("It isn't clear which pile is the discard."),
    }
    return known.get(code, "")


def broken_rule(look: Look, fault: Broken) -> str:
    """What was done against the rules, in one sentence."""
    t = look.t
    card = look.card(fault.card) if fault.card else t("a card")
    onto = look.card(fault.onto) if fault.onto else t("the discard")
    column = (fault.column or 0) + 1
    known = {
        "wrong-rank": t(
            "{card} was put on {onto}: it is not one rank higher or lower.", card=card, onto=onto
        ),
        "on-king": t("{card} was put on a king, which your rules don't allow.", card=card),
        "on-queen": t("{card} was put on a queen that lies on a king.", card=card),
        "play-possible": t("A card was drawn though one could be played."),
        "play-first": t("The discard must be opened by a card of the tableau."),
        "over": t("Play went on though the hole was over."),
        "stock-empty": t("More cards were drawn than the stock holds."),
        "stock-twice": t("The stock was gone through twice."),
        "not-next": t("{card} was not the next card of the stock.", card=card),
        "inside-column": t("{card} was taken from the inside of column {n}.", card=card, n=column),
        "between-columns": t("{card} was moved from one column to another.", card=card),
        "onto-column": t("{card} was put on a column.", card=card),
        "from-discard": t("{card} was taken back from the discard.", card=card),
        "column-filled": t("An empty column was filled with {card}.", card=card),
        "not-on-table": t("{card} was not on the table.", card=card),
        "joker-rank": t("The joker was given a rank that doesn't fit."),
    }
    return known.get(fault.rule, t("A rule was broken with {card}.", card=card))


def belongs(look: Look, where: str) -> str:
    """Where a card is to be put back."""
    t = look.t
    if where == "stock":
        return t("on top of the stock, face down")
    if where == "discard":
        return t("on the discard")
    if where == "in stock":
        return t("in its place in the stock")
    if where == "before":
        return t("where it lay before")
    return t("onto column {n}", n=where.split()[-1])


def remedy(look: Look, kind: str) -> str:
    """What follows from a wrong move."""
    t = look.t
    return {
        "put-back": t("To put back:"),
        "stands": t("It was noticed too late to be put back: the move stands."),
        "void": t("By your rules the hole doesn't count."),
    }.get(kind, "")
