"""JSON-RPC and the life of the server, on pygls with its deviations from the protocol repaired (design section 8).

``receive`` takes one message body and never raises. Every request gets exactly one answer: -32700 not JSON, -32600 not a
request or out of order, -32002 before ``initialize``, -32601 unknown, -32602 params that do not fit, -32800 cancelled,
-32603 with no more than "see the log". Notifications that cannot be used are dropped. What a message holds is logged at
DEBUG only, tracebacks go to the log only, and a person sees at most one error message in a run.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from memory_lsp import __version__
from memory_lsp.server.support import ClientSupport, client_support, initialize_problem, initialize_result
from memory_lsp.server.wire import Writer, frame

if TYPE_CHECKING:
    from pygls.server import ServerErrors

logger = logging.getLogger(__name__)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
REQUEST_CANCELLED = -32800
REQUEST_FAILED = -32803


class MemoryProtocol(LanguageServerProtocol):
    """One connection. ``on_initialize`` gets the raw params and what the client supports; ``on_exit`` the exit code."""

    _server: LanguageServer

    def __init__(self, server: LanguageServer, converter: Any) -> None:
        super().__init__(server, converter)
        self.state = "new"
        self.support = ClientSupport()
        self.on_initialize: Callable[[dict[str, Any], ClientSupport], None] = lambda params, support: None
        self.on_exit: Callable[[int], None] = lambda code: None
        self._told = False

    # What comes in

    def receive(self, body: bytes) -> None:
        """Handle one message. Called on the event loop."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            logger.error("received a message that is not JSON (%d bytes)", len(body))
            self._refuse(None, PARSE_ERROR, "the message is not valid JSON")
            return
        if not isinstance(message, dict):
            self._refuse(None, INVALID_REQUEST, "the message is not an object; batches are not part of the protocol")
            return
        try:
            self._dispatch(message)
        except Exception as error:
            logger.exception("a message could not be handled")
            if "method" in message and _is_id(message.get("id")):
                self._refuse(message["id"], INTERNAL_ERROR, "internal error; see the server's log")
            self._server.report_server_error(error, JsonRpcException)

    def _dispatch(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if "id" in message and ("method" in message or not ("result" in message or "error" in message)):
            identity = message["id"] if _is_id(message["id"]) else None
            if message.get("jsonrpc") != "2.0" or not isinstance(method, str) or identity is None:
                self._refuse(identity, INVALID_REQUEST, 'a request needs "jsonrpc": "2.0", an id and a method')
            else:
                self._request(identity, method, message)
        elif "id" in message:
            self._response(message)
        elif isinstance(method, str) and message.get("jsonrpc") == "2.0":
            self._notification(method, message)
        else:
            logger.warning("ignored a message that is neither request, response nor notification")

    def _request(self, identity: int | str, method: str, message: dict[str, Any]) -> None:
        if self.state == "shutdown":
            self._refuse(identity, INVALID_REQUEST, "the server is shut down")
        elif method == types.INITIALIZE:
            problem = "initialize is sent once" if self.state != "new" else ""
            if problem:
                self._refuse(identity, INVALID_REQUEST, problem)
                return
            params = message.get("params")
            if problem := initialize_problem(params):
                self._refuse(identity, INVALID_PARAMS, problem)
                return
            self.begin(params)  # type: ignore[arg-type]  # a dictionary, as initialize_problem found
            self._send({"jsonrpc": "2.0", "id": identity, "result": initialize_result(self.support)})
        elif self.state == "new":
            self._refuse(identity, NOT_INITIALIZED, "initialize comes first")
        elif method not in self.fm.builtin_features and method not in self.fm.features:
            self._refuse(identity, METHOD_NOT_FOUND, f"unknown method {method[:200]}")
        elif identity in self._request_futures:
            self._refuse(identity, INVALID_REQUEST, "a request with this id is still running")
        else:
            request = self._structure(method, message)
            if request is None:
                self._refuse(identity, INVALID_PARAMS, f"the params do not fit {method}")
                return
            self._handle_request(identity, method, request.params)

    def begin(self, params: dict[str, Any]) -> None:
        """Take the params of an ``initialize`` that was found usable (and may have been answered already)."""
        self.support = client_support(params)
        self.state = "ready"
        self.on_initialize(params, self.support)

    def _notification(self, method: str, message: dict[str, Any]) -> None:
        if method == types.EXIT:
            self.on_exit(0 if self.state == "shutdown" else 1)
        elif self.state != "ready":
            logger.info("dropped the notification %s: the server is %s", method[:200], self.state)
        elif method == types.CANCEL_REQUEST:
            self._cancel(message.get("params"))
        elif method in self.fm.builtin_features or method in self.fm.features:
            notification = self._structure(method, message)
            if notification is not None:
                self._handle_notification(method, notification.params)
        elif not method.startswith("$/"):
            logger.info("ignored the notification %s", method[:200])

    def _structure(self, method: str, message: dict[str, Any]) -> Any:
        """The typed message, or ``None`` when it does not fit."""
        message_type = self.get_message_type(method)
        try:
            return self._converter.structure(message, message_type)  # type: ignore[arg-type]
        except Exception as error:
            logger.warning("the params of %s do not fit (%s)", method, type(error).__name__)
            logger.debug("it does not fit because", exc_info=error)
            return None

    def _cancel(self, params: Any) -> None:
        identity = params.get("id") if isinstance(params, dict) else None
        future = self._request_futures.get(identity) if _is_id(identity) else None  # type: ignore[arg-type]
        if future is not None:
            future.cancel()

    def _response(self, message: dict[str, Any]) -> None:
        identity = message["id"]
        future = self._request_futures.pop(identity, None) if _is_id(identity) else None
        if future is None or future.done():
            logger.info("ignored a response to no request of ours")
            return
        result_type = self._result_types.pop(identity, None)
        if "error" in message:
            error = message["error"] if isinstance(message["error"], dict) else {}
            code = error.get("code")
            future.set_exception(
                JsonRpcException(
                    message=str(error.get("message")), code=code if isinstance(code, int) else INTERNAL_ERROR
                )
            )
            return
        try:
            structured = self._converter.structure(message, result_type) if result_type else None
            future.set_result(structured.result if structured is not None else message.get("result"))
        except Exception as error:
            logger.warning("a result from the client does not fit (%s)", type(error).__name__)
            future.set_exception(JsonRpcException(message="the result does not fit", code=INVALID_PARAMS))

    # How handlers end

    def _handle_request(self, msg_id: int | str, method_name: str, params: Any) -> None:
        handler = self._get_handler(method_name)
        self._execute_handler(
            msg_id=msg_id,
            handler=handler,
            args=(params,),
            callback=lambda future: self._send_handler_result(future, msg_id=msg_id),
        )

    def _handle_notification(self, method_name: str, params: Any) -> None:
        handler = self._get_handler(method_name)
        self._execute_handler(
            msg_id=f"{method_name} {id(params)}", handler=handler, args=(params,), callback=self._check_handler_result
        )

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            self._refuse(msg_id, REQUEST_CANCELLED, "cancelled")
            return
        error = future.exception()
        if error is None:
            try:
                self._send_response(msg_id, result=future.result())
            except Exception as unsendable:
                error = unsendable
            else:
                return
        if isinstance(error, JsonRpcException):
            self._refuse(msg_id, error.code, error.message)
        else:
            logger.error("a request failed", exc_info=error)
            self._refuse(msg_id, INTERNAL_ERROR, "internal error; see the server's log")

    def _check_handler_result(self, future: Future[Any]) -> None:
        if not future.cancelled() and (error := future.exception()) is not None:
            logger.error("a notification could not be handled", exc_info=error)
            self.tell_once()

    def tell_once(self) -> None:
        """Tell the person that something is wrong, once in a run; the rest is in the log."""
        if not self._told and self.state == "ready":
            self._told = True
            self.notify(
                types.WINDOW_SHOW_MESSAGE,
                types.ShowMessageParams(
                    type=types.MessageType.Error,
                    message="memory-lsp met an internal error; details are in the server's log.",
                ),
            )

    # What goes out

    def _refuse(self, identity: int | str | None, code: int, text: str) -> None:
        self._send({"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": text}})

    def _send_data(self, data: Any) -> None:
        self._send(data)

    def _send(self, data: Any) -> None:
        if self.writer is None:
            return
        try:
            self.writer.write(frame(data, self._serialize_message))
        except (BrokenPipeError, ConnectionError):
            logger.info("the client is gone")
            self.on_exit(0 if self.state == "shutdown" else 1)

    # What pygls would do of itself

    def _register_builtin_features(self) -> None:
        """Documents, folders and commands are the session's; of pygls's own features none is used."""
        self.fm.add_builtin_feature(types.SHUTDOWN, self._shut_down)
        self.fm.add_builtin_feature(types.SET_TRACE, lambda params: None)
        self.fm.add_builtin_feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, lambda params: None)

    def _shut_down(self, params: None) -> None:
        """Cancel what is still running and take nothing more than ``exit``."""
        self.state = "shutdown"
        for future in list(self._request_futures.values()):
            future.cancel()


class MemoryServer(LanguageServer):
    """The pygls server object: it holds the protocol and the features registered on it."""

    protocol: MemoryProtocol

    def __init__(self) -> None:
        super().__init__("memory-lsp", __version__, types.TextDocumentSyncKind.Full, None, protocol_cls=MemoryProtocol)

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """What is out of band goes to the log, and once to the person."""
        logger.error("%s", type(error).__name__, exc_info=error)
        self.protocol.tell_once()

    def set_writer(self, writer: Writer) -> None:
        """Where messages go."""
        self.protocol.set_writer(writer)


def _is_id(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
