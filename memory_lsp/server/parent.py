"""Notice that the process which started the server has died (LSP: ``InitializeParams.processId``)."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable

POLL_SECONDS = 0.5


def watch_parent(process: int, ended: Callable[[], None]) -> None:
    """Call ``ended`` once on the running loop when ``process`` is gone. A number that names no process is gone already.

    Linux tells by a process descriptor, which sees a zombie as dead; Windows by a wait on the process handle (untested);
    elsewhere the process is looked for twice a second.
    """
    loop = asyncio.get_running_loop()
    if sys.platform == "win32":
        threading.Thread(target=_wait_windows, args=(process, loop, ended), daemon=True, name="parent").start()
        return
    if sys.platform == "linux":
        try:
            descriptor = os.pidfd_open(process)
        except ProcessLookupError:
            loop.call_soon(ended)
            return
        except OSError:
            # An old kernel or a sandbox: look for it instead.
            pass
        else:

            def told() -> None:
                loop.remove_reader(descriptor)
                os.close(descriptor)
                ended()

            loop.add_reader(descriptor, told)
            return
    _look(process, loop, ended)


def _look(process: int, loop: asyncio.AbstractEventLoop, ended: Callable[[], None]) -> None:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        ended()
        return
    except PermissionError:
        pass
    loop.call_later(POLL_SECONDS, _look, process, loop, ended)


if sys.platform == "win32":

    def _wait_windows(process: int, loop: asyncio.AbstractEventLoop, ended: Callable[[], None]) -> None:
        import ctypes

        synchronize, infinite = 0x00100000, 0xFFFFFFFF
        handle = ctypes.windll.kernel32.OpenProcess(synchronize, False, process)
        if handle:
            ctypes.windll.kernel32.WaitForSingleObject(handle, infinite)
            ctypes.windll.kernel32.CloseHandle(handle)
        loop.call_soon_threadsafe(ended)
