"""Eight floats as one value in functions that Numba compiles: the processor works on them at once.

Numba leaves loops over a few neighbours as they are; these become the vector instructions of whatever
processor there is, by way of LLVM's vector type.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from companion.engine.drawn import LANES

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_PLACES: Final = ir.VectorType(ir.IntType(32), LANES)


class _Eight(types.Type):
    def __init__(self) -> None:
        super().__init__(name="eight_floats")


_eight = _Eight()


@register_model(_Eight)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


def _place(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """A pointer to eight floats of an array, from an index on that is not checked."""
    array = cgutils.create_struct_proxy(signature.args[0])(context, builder, values[0])
    start = builder.gep(array.data, [values[1]])
    return builder.bitcast(start, _VECTOR.as_pointer())


@intrinsic
def load(typing: Any, array: Any, index: Any) -> Any:
    """Eight neighbours of an array."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(_place(context, builder, signature, values), align=8)

    return _eight(array, index), generate


@intrinsic
def store(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Writes eight neighbours of an array."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        builder.store(values[2], _place(context, builder, signature, values), align=8)
        return context.get_dummy_value()

    return types.void(array, index, value), generate


@intrinsic
def same(typing: Any, value: Any) -> Any:
    """Eight times one float."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        one = builder.insert_element(nothing, values[0], ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(one, nothing, ir.Constant(_PLACES, [0] * LANES))

    return _eight(types.float64), generate


@intrinsic
def add(typing: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.fadd(*values)

    return _eight(one, other), generate


@intrinsic
def times(typing: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.fmul(*values)

    return _eight(one, other), generate


@intrinsic
def less(typing: Any, one: Any, other: Any) -> Any:
    """The lesser of each two."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR, _VECTOR])
        least = cgutils.get_or_insert_function(builder.module, kind, f"llvm.minnum.v{LANES}f64")
        # A comparison and a choice would become a store of some lanes, which the next load waits for.
        return builder.call(least, values, fastmath=("nnan",))

    return _eight(one, other), generate


def _from(far: int) -> Any:
    """Each lane takes the value of the lane that lies so far on; the last ones 0."""

    @intrinsic
    def take(typing: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            which = ir.Constant(_PLACES, [lane + far for lane in range(LANES)])
            return builder.shuffle_vector(values[0], ir.Constant(_VECTOR, [0.0] * LANES), which)

        return _eight(value), generate

    return take


from_1, from_2, from_4 = (_from(far) for far in (1, 2, 4))


@intrinsic
def ones(typing: Any, word: Any) -> Any:
    """How many bits are set."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.ctpop(values[0])

    return types.uint64(types.uint64), generate


@intrinsic
def lowest(typing: Any, word: Any) -> Any:
    """Which is the lowest bit that is set; there must be one."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def room(count: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """An array of so many floats, blocks of eight of which are lines of the processor's cache."""
    plain = np.empty(count + LANES, np.float64)
    skip = -(plain.ctypes.data // 8) % LANES
    return plain[skip : skip + count]
