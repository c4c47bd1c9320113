"""smd: LLVM IR in, object code and decoded stackmaps out, from a server that runs somewhere.

    >>> import smd
    >>> answer = smd.compile(open("list.ll").read(), opt=2)
    >>> answer.object[:4]
    b'\\x7fELF'
    >>> for point in answer.stackmap.safepoints():
    ...     print(point)

The server is http://127.0.0.1:8199, or what SMD_SERVER names. Options are those of /v1/capabilities, by name. Nothing but
Python's own library is needed: no compiler, no LLVM. In a notebook a stackmap is drawn.

    Client         servers, a token, timeouts; compile, batch, submit, tiers, stackmap, capabilities
    Answer         what a compile gave: object, stackmap, ir, asm, ...
    Job            a compile in the background
    Failure        what is wrong, with a code and diagnostics
    Unreachable    no server answers
    smd.aio        the same for asyncio: AsyncClient
"""

from ._client import Answer, Client, CompileWarning, Job, capabilities, compile, stackmap
from ._http import Failure, Unreachable
from ._stackmap import Function, Location, Region, Root, Safepoint, Stackmap

__all__ = [
    "Answer", "Client", "CompileWarning", "Failure", "Function", "Job", "Location", "Region", "Root", "Safepoint", "Stackmap",
    "Unreachable", "capabilities", "compile", "stackmap",
]
__version__ = "0.1.0"
