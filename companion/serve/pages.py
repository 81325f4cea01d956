"""The few pages that are no part of the app: for those who are not let in."""

from __future__ import annotations

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Golf Patience Companion</title><link rel="icon" href="/favicon.png">
<style>
body {{ font: 18px/1.5 system-ui, sans-serif; background: #12402f; color: #fff; margin: 0; display: grid;
  min-height: 100vh; place-items: center; text-align: center }}
main {{ max-width: 22rem; padding: 1.5rem }}
input, button {{ font: inherit; padding: .7rem 1rem; border-radius: .8rem; border: 0; width: 100%;
  box-sizing: border-box; margin: .35rem 0; text-align: center }}
input {{ letter-spacing: .08em; text-transform: uppercase }}
button {{ background: #f4c95d; color: #222; font-weight: 600 }}
p.say {{ color: #ffe08a }}
</style></head><body><main><h1>♣ Golf Patience</h1>{said}
<p lang="en">Scan the code on the desk's screen, or type the letters below it.</p>
<p lang="de">Den Code am Bildschirm scannen, oder die Buchstaben darunter eingeben.</p>
<p lang="sv">Skanna koden på skärmen, eller skriv bokstäverna under den.</p>
<form method="post" action="/join">
<input name="token" maxlength="40" autocomplete="off" autocapitalize="characters"
 spellcheck="false" aria-label="Code" placeholder="XXXX-XXXX-XXXX-XXXX" required><button>OK</button></form>
</main></body></html>
"""


def door(said: str = "") -> str:
    """Asks for the token; `said` is one of our own sentences."""
    return _PAGE.format(said=f'<p class="say" role="alert">{said}</p>' if said else "")
