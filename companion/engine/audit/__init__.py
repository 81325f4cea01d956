"""Was it played by the rules?  From tables, from a log, from the discard.  Knows the game and no photos."""

from companion.engine.audit.chain import audit_tables
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

__all__ = [
    "RULES",
    "Ask",
    "Audit",
    "Fault",
    "Place",
    "Placed",
    "PutBack",
    "Remedy",
    "Score",
    "Seen",
    "Table",
    "Verdict",
    "audit_tables",
]
