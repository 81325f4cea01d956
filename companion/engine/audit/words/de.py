"""The sentences of an audit in German."""

TEXTS = {
    "unchanged": "nichts hat sich geändert",
    "one-play": "1 gelegte Karte erklärt es",
    "one-draw": "1 aufgedeckte Karte erklärt es",
    "plays": "{plays} gelegte Karten erklären es",
    "draws": "{draws} aufgedeckte Karten erklären es",
    "plays-and-draws": "{plays:gelegte Karte|gelegte Karten} und {draws:aufgedeckte|aufgedeckte} erklären es",
    "fits": "{card} passt",
    "drawn": "{card} wurde aufgedeckt",
    "fewer-may-do": "{reason}; ob weniger Aufdecken reicht, ist zu viel zu prüfen",
    "fewer-wrong-may-do": "ob weniger gebrochene Regeln es auch erklären, ist zu viel zu prüfen",
    "as-read": "{reason}, so wie gelesen; nicht sicher gelesen: {cards}",
    "as-read.illegal": "eine Regel wurde in jedem Fall verletzt, aber welche, hängt an nicht sicher "
    "gelesenen Karten: {cards}; wie gelesen: {reasons}",
    "queen-below": "{reason}, sofern {queen} nicht auf einem König liegt; die Karte darunter ist "
    "nicht zu sehen",
    "queen-below.dead": "{reason}, sofern {queen} auf einem König liegt; die Karte darunter ist "
    "nicht zu sehen",
    "queen-drawn": "{reason}, sofern {queen} aufgedeckt wurde; auf den König gelegt darf nichts auf sie",
    "queen-drawn.dead": "{reason}, sofern {queen} auf den König gelegt und nicht aufgedeckt wurde",
    "after-put-back": "{reason}, nachdem der falsche Zug zurückgenommen war",
    "wrong-rank": "{card} aus Spalte {column} wurde auf {onto} gelegt: nur eine Karte einen Rang höher oder "
    "tiefer passt",
    "wrong-rank.king": "{card} aus Spalte {column} wurde auf {onto} gelegt: auf einen König darf "
    "nur eine Dame",
    "on-king": "{card} aus Spalte {column} wurde auf {onto} gelegt: auf einen König darf nichts",
    "on-queen": "{card} aus Spalte {column} wurde auf {onto} gelegt: auf eine Dame, die auf einem "
    "König liegt, "
    "darf nichts",
    "play-possible": "{card} wurde auf {onto} aufgedeckt, obwohl eine Karte gelegt werden konnte",
    "play-possible.counted": "der Talon hat seit der letzten Zählung {drawn:Karte|Karten} weniger: nicht "
    "alle können aufgedeckt worden sein, als keine Karte zu legen war",
    "play-first": "{card} wurde aufgedeckt, wo eine Karte der Auslage den Ablagestapel eröffnet",
    "over": "{card} wurde aufgedeckt, als das Loch schon zu Ende war",
    "stock-empty": "{card} wurde aufgedeckt, obwohl im Talon keine Karte mehr lag",
    "stock-empty.counted": "mindestens {needed:Karte muss|Karten müssen} aufgedeckt worden sein, "
    "der Talon hatte aber nur {held}",
    "stock-empty.again": "mit den Schritten davor müssen mehr Karten aufgedeckt worden sein, als "
    "der Talon hatte",
    "stock-twice": "{card} wurde zum zweiten Mal aufgedeckt: der Talon darf nur einmal durchgespielt werden",
    "stock-twice.discarded": "{card} lag schon im Ablagestapel und liegt wieder obenauf: der "
    "Ablagestapel wurde umgedreht, der Talon darf aber nur einmal durchgespielt werden",
    "stock-twice.grown": "der Talon hatte {was:Karte|Karten} und hat jetzt {now}: er wurde wieder "
    "aufgefüllt, darf aber nur einmal durchgespielt werden",
    "stock-twice.again": "mit den Schritten davor müssen mehr Karten eines Rangs aufgedeckt "
    "worden sein, als es gibt: der Talon wurde zweimal durchgespielt",
    "not-next": "{card} wurde aufgedeckt, ist aber nicht die nächste Karte des Talons",
    "inside-column": "{card} wurde aus dem Inneren von Spalte {column} genommen",
    "inside-column.under": "{card} wurde aus dem Inneren von Spalte {column} genommen, unter {over} hervor",
    "between-columns": "{card} wurde von Spalte {column} auf Spalte {to} gelegt",
    "onto-column": "{card} wurde auf Spalte {to} gelegt",
    "from-discard": "{card} wurde vom Ablagestapel zurückgenommen",
    "from-discard.column": "{card} wurde vom Ablagestapel auf Spalte {to} zurückgelegt",
    "from-discard.same": "{card} liegt obenauf wie zuvor, obwohl Karten die Spalten verlassen haben",
    "column-filled": "{card} aus Spalte {column} wurde in die leere Spalte {to} gelegt",
    "column-filled.stock": "{card} vom Talon wurde in die leere Spalte {to} gelegt",
    "joker-rank": "{card} aus Spalte {column} wurde auf {onto} gelegt: ein Joker braucht einen "
    "Rang, der passt",
    "bad-table": "Tisch {table} kann nicht sein: {problem}",
    "problem.card-twice": "{cards} liegt zweimal da",
    "problem.rank-too-often": "es sind mehr Karten eines Rangs da, als das Blatt hat: {cards}",
    "problem.joker-not-in-deck": "ein Joker ist da, das Blatt hat aber keinen",
    "other-stock": "nicht dasselbe Blatt: die Karten des Talons sind nicht die des Tisches davor",
    "too-many-moved": "nicht dasselbe Blatt: zu viele Karten liegen anderswo",
    "other-order": "nicht dasselbe Blatt: die Karten von Spalte {column} liegen in anderer Folge",
    "from-nowhere": "nicht dasselbe Blatt: {card} kann nicht auf Spalte {column} gekommen sein",
    "two-places": "nicht dasselbe Blatt: {card} liegt auf dem Ablagestapel und in einer Spalte",
    "discard-gone": "nicht dasselbe Blatt: der Ablagestapel ist jetzt leer",
    "no-way": "nicht dasselbe Blatt: keine Züge führen vom einen zum anderen, auch keine falschen",
    "no-way-with": "nicht dasselbe Blatt: keine Züge mit {draws:aufgedeckten Karte|aufgedeckten "
    "Karten} führen "
    "vom einen zum anderen",
    "no-column": "es gibt keine Spalte {column}",
    "empty-column": "Spalte {column} ist leer",
    "not-in-column": "{card} liegt nicht in Spalte {column}",
    "in-no-column": "{card} liegt in keiner Spalte",
    "in-column": "{card} kann nicht aufgedeckt worden sein, die Karte liegt in Spalte {column}",
    "hidden": "{cards} liegt auf dem Foto vielleicht verdeckt unter einer anderen Karte; "
    "bitte noch einmal ansehen",
    "look-again": "es hängt an {count:Karte|Karten}, nicht sicher gelesen; bitte noch einmal "
    "ansehen: {cards}",
    "look-again.more": "es hängt an {count:Karte|Karten}, nicht sicher gelesen; bitte noch einmal ansehen: "
    "{cards} und {more} weitere",
    "which-card": "eine Karte wurde nicht gelesen: welche war es?",
    "undecided": "der Tisch ist zu groß, um es zu entscheiden",
    "at": "{card} ({place})",
    "place.column": "Tisch {table}, Spalte {column}, Karte {row}",
    "place.discard": "Tisch {table}, der Ablagestapel",
    "place.under": "Tisch {table}, der Ablagestapel, unter der obersten",
    "place.pile": "der Ablagestapel, Karte {row}",
    "unread-card": "eine ungelesene Karte",
    "void": "das Loch zählt nicht",
    "stands": "seither wurde gezogen, also gilt es: die Karten bleiben, wo sie sind, und es geht weiter",
    "stands.one": "seither wurde gezogen, also gilt es: {card} bleibt, wo sie ist, und es geht weiter",
    "put-back": "{cards}",
    "put-back.last": "{cards}; nach den anderen falschen Zügen wurde weitergezogen, also gelten sie",
    "put-back.unless": "{cards} (außer seither wurde gezogen, dann gilt es)",
    "back.column": "{card} {lies} zurück auf Spalte {column} legen",
    "back.under": "{card} {lies} zurück in Spalte {column} unter {under} legen",
    "back.stock": "{card} {lies} zurück auf den Talon legen, verdeckt",
    "back.before": "{card} {lies} dorthin zurücklegen, wo die Karte vorher lag",
    "back.in-stock": "{card} {lies} an die alte Stelle im Talon zurücklegen",
    "back.discard": "{card} {lies} zurück auf den Ablagestapel legen",
    "lies.discard": "vom Ablagestapel",
    "lies.hand": "aus der Hand",
    "lies.column": "von Spalte {column}",
    "score": "das Loch steht bei {strokes:Schlag|Schlägen}",
    "score.best": "das Loch steht bestenfalls bei {strokes:Schlag|Schlägen}",
    "score.unknown": "wie das Loch steht, ist nicht bekannt",
    "score.void": "das Loch zählt nicht; es hätte {strokes:Schlag|Schläge} ergeben",
    "score.void.best": "das Loch zählt nicht; es hätte bestenfalls {strokes:Schlag|Schläge} ergeben",
    "score.void.unknown": "das Loch zählt nicht; was es ergeben hätte, ist nicht bekannt",
    # deals that can't be cleared
    "redeal.draws": "mindestens {fewest:Karte|Karten} müssen aufgedeckt werden, und der Talon hat {held}",
    "redeal.short": "mindestens {stay:Karte muss|Karten müssen} liegen bleiben, denn mehr als "
    "{short} kommt nicht aus dem Talon",
    "redeal.blocked": "mindestens {stay:Karte muss|Karten müssen} liegen bleiben: {blocked} "
    "brauchen {needed}, und davon kann nichts obenauf kommen",
    "redeal.supply": "im Talon fehlen die Ränge, die es braucht",
    "redeal.can": "es kann aufgehen: mit dem richtigen Talon reicht es mit {draws:aufgedeckter "
    "Karte|aufgedeckten Karten}",
    "redeal.cannot": "keine Reihenfolge des Talons lässt es aufgehen: {reason}",
    "redeal.may": "es darf neu gegeben werden (redeal_impossible)",
    "redeal.may-not": "nach Vereinbarung darf nicht neu gegeben werden (redeal_impossible)",
    # lists of moves
    "verdict.legal": "erlaubt",
    "verdict.illegal": "regelwidrig",
    "verdict.impossible": "unmöglich",
    "verdict.unreadable": "unklar",
    "play": "legen",
    "draw": "aufdecken",
    "play-from": "{card} aus Spalte {column} legen",
    "draw-card": "{card} aufdecken",
    "moves": "{moves:Zug|Züge}, davon {wrong} falsch",
    "moves.open": "{moves:Zug|Züge}, davon {wrong} falsch und {open} nicht zu beurteilen",
    "moves.right": "{moves:Zug|Züge}, keiner davon falsch",
}

RANKS = (
    ("Ass", "Asse", "die Asse"),
    ("Zwei", "Zweien", "die Zweien"),
    ("Drei", "Dreien", "die Dreien"),
    ("Vier", "Vieren", "die Vieren"),
    ("Fünf", "Fünfen", "die Fünfen"),
    ("Sechs", "Sechsen", "die Sechsen"),
    ("Sieben", "Siebenen", "die Siebenen"),
    ("Acht", "Achten", "die Achten"),
    ("Neun", "Neunen", "die Neunen"),
    ("Zehn", "Zehnen", "die Zehnen"),
    ("Bube", "Buben", "die Buben"),
    ("Dame", "Damen", "die Damen"),
    ("König", "Könige", "die Könige"),
    ("Joker", "Joker", "die Joker"),
)
"""Ace to king and joker: one, several, all of them."""

AND, OR = " und ", " oder "
