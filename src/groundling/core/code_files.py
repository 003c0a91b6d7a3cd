"""Load games and players from Python files and modules that the user names, and record which code it was."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct

from groundling.core.values import Problem

FILE_SPEC = re.compile(r"(?P<file>(?:[A-Za-z]:(?=[\\/]))?[^:]+\.py)(?::(?P<name>\w*))?")
"""A file, and a name in it. `script:FILE.py` is not one: only a drive may have a colon before the file."""
MODULE_SPEC = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+:\w+")
"""A dotted module and a name in it. Without a dot, it could be a player and its argument."""
_modules: dict[tuple[Path, str], ModuleType] = {}
"""Modules by file and SHA-256: a file that has changed is run again."""


class CodeOrigin(Struct, frozen=True):
    code: str
    """FILE.py:NAME or MODULE:NAME, as commands take it."""
    sha256: str
    """The hash of the file, or of all Python files of a package."""


def load_code(text: str, wanted: Callable[[object], bool], what: str) -> tuple[Any, CodeOrigin]:
    """Load FILE.py[:NAME] or MODULE:NAME. Without a name, the file must define exactly one wanted value; a
    class that it only imports does not count."""
    if found := FILE_SPEC.fullmatch(text):
        place, name = found["file"], found["name"] or ""
        module, digest = _load_file(Path(place))
    else:
        place, _, name = text.partition(":")
        module = _load_module(place)
        digest = _hash_module(module)
    there = [
        key
        for key, value in vars(module).items()
        if not key.startswith("_")
        and wanted(value)
        and not (isinstance(value, type) and value.__module__ != module.__name__)
    ]
    if not name and len(there) != 1:
        raise Problem(
            f"{place} has several: {', '.join(sorted(there))}: name one, as in {place}:{there[0]}"
            if there
            else f"{place} has nothing that is {what}: add it, or give another file"
        )
    name = name or there[0]
    if name not in vars(module):
        has = f"choose from {', '.join(sorted(there))}" if there else f"it has nothing that is {what}"
        raise Problem(f"{place} has no {name}: {has}")
    return vars(module)[name], CodeOrigin(f"{place}:{name}", digest)


def _load_file(file: Path) -> tuple[ModuleType, str]:
    """Run a file as a module, and return it with the file's hash."""
    if not file.is_file():
        raise Problem(f"there is no file {file}: give the path of a Python file")
    path, content = file.resolve(), file.read_bytes()
    key = path, sha256(content).hexdigest()
    if key not in _modules:
        _modules[key] = _run_file(file, path, content, key[1])
    return _modules[key], key[1]


def _run_file(file: Path, path: Path, content: bytes, digest: str) -> ModuleType:
    """Run a file as Python runs a script: its folder can be imported from. No bytecode is read or written,
    since Python compares only times and sizes."""
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    name = _module_name(path, digest)
    spec = spec_from_file_location(name, path)
    assert spec is not None
    module, before = module_from_spec(spec), sys.modules.get(name)
    try:
        code = compile(content, str(path), "exec")
        sys.modules[name] = module  # msgspec and dataclasses look for annotations there
        exec(code, vars(module))
    except (Exception, SystemExit) as trouble:
        sys.modules.pop(name, None)
        if before is not None:
            sys.modules[name] = before
        raise code_problem(trouble, str(file), str(path), "cannot be run") from trouble
    return module


def _module_name(path: Path, digest: str) -> str:
    """Return the name of the file, so that other files can import it, unless another module has that name."""
    name = path.stem
    if name in sys.modules:
        free = sys.modules[name].__dict__.get("__file__") == str(path)
    else:
        spec = find_spec(name) if name.isidentifier() else None
        free = name.isidentifier() and (spec is None or spec.origin == str(path))
    return name if free else f"file_{digest[:12]}"


def _load_module(name: str) -> ModuleType:
    """Import a module, also from the working folder."""
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        return import_module(name)
    except (Exception, SystemExit) as trouble:
        raise code_problem(trouble, name, "", "cannot be imported") from trouble


def _hash_module(module: ModuleType) -> str:
    """Hash the module's file, or all Python files of a package with their paths."""
    found = sha256()
    folders = [Path(folder) for folder in getattr(module, "__path__", ())]
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            found.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    if not folders and module.__file__:
        found.update(Path(module.__file__).read_bytes())
    return found.hexdigest()


def code_problem(
    trouble: BaseException, shown: str, path: str, what: str, advice: str = "correct it"
) -> Problem:
    """Return the problem that an exception in the user's code is. It names the last line of the file at
    `path`, which is shown to the user as `shown`."""
    told = " ".join(f"{type(trouble).__name__}: {trouble}".split())
    if isinstance(trouble, SyntaxError) and trouble.filename == path:
        return Problem(f"{shown}:{trouble.lineno} is not Python ({trouble.msg}): correct that line")
    lines = [frame.lineno for frame in traceback.extract_tb(trouble.__traceback__) if frame.filename == path]
    place = f"{shown}:{lines[-1]}" if lines else shown
    if isinstance(trouble, ImportError):
        advice = "install what is missing, or correct the name"
    return Problem(f"{place} {what} ({told}): {advice}")
