"""Was it played by the rules?  From tables, from a log, from the discard.  Knows the game and no photos."""

from companion.engine.audit.chain import audit_tables
from companion.engine.audit.claims import Claim, of_moves, parse_log
from companion.engine.audit.replay import audit_discard, audit_log
from companion.engine.audit.tables import Place, Seen, Table
from companion.engine.audit.verdict import (
    RULES,
    Ask,
    Audit,
    Fault,
    Placed,
    PutBack,
    Remedy,
    Score,
    Verdict,
)
from companion.engine.audit.words import Reason, say

__all__ = [
    "RULES",
    "Ask",
    "Audit",
    "Claim",
    "Fault",
    "Place",
    "Placed",
    "PutBack",
    "Reason",
    "Remedy",
    "Score",
    "Seen",
    "Table",
    "Verdict",
    "audit_discard",
    "audit_log",
    "audit_tables",
    "of_moves",
    "parse_log",
    "say",
]
