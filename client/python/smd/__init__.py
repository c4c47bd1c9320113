"""smd: LLVM IR in, object code and decoded stackmaps out, from a server that runs somewhere.

    >>> import smd
    >>> answer = smd.compile(open("list.ll").read(), opt=2)
    >>> answer.object[:4]
    b'\\x7fELF'
    >>> for point in answer.stackmap.safepoints():
    ...     print(point)

The server is http://127.0.0.1:8199, or what SMD_SERVER says. Options are those of /v1/capabilities, by name. Nothing but
Python's own library is needed: no compiler, no LLVM. In a notebook a stackmap is drawn.
"""

from ._client import Client, Failure, Unreachable, capabilities, compile, stackmap
from ._stackmap import Function, Location, Root, Safepoint, Stackmap

__all__ = [
    "Client", "Failure", "Function", "Location", "Root", "Safepoint", "Stackmap", "Unreachable", "capabilities",
    "compile", "stackmap",
]
__version__ = "0.1.0"
