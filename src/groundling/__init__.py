"""groundling: a testbed for grounded instruction giving and following.

The functions are imported when they are first used; `__init__.pyi` has their types."""

__version__ = "0.2.0"

_HOMES = {
    **dict.fromkeys(("list_games", "make", "play", "load", "load_replies", "score"), "groundling.api"),
    **dict.fromkeys(("compare", "show", "write_report"), "groundling.api"),
    "Problem": "groundling.core.values",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'groundling' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
