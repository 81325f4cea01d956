"""Where rounds, games and scans are kept. SQL stays in here; what comes out are `companion.game` values."""

from companion.store.database import Changes
from companion.store.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreReadOnly
from companion.store.location import Location, locate
from companion.store.store import Store
from companion.store.transfer import Merged

__all__ = [
    "Changes",
    "Location",
    "Merged",
    "Store",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "locate",
]
