"""Headless Flet: a real Session/Page with a fake client connection (no browser, no Flutter)."""

import asyncio
import inspect
from concurrent.futures import ThreadPoolExecutor

import flet as ft
import msgpack
from flet.components.public_utils import unwrap_component
from flet.controls.base_control import BaseControl
from flet.controls.context import _context_page, context
from flet.messaging.connection import Connection
from flet.messaging.protocol import MessageAction as ClientAction
from flet.messaging.protocol import configure_encode_object_for_msgpack
from flet.messaging.session import Session
from flet.pubsub.pubsub_hub import PubSubHub


class FakeConnection(Connection):
    def __init__(self, replies):
        super().__init__()
        self.loop = asyncio.get_running_loop()
        self.executor = ThreadPoolExecutor(2)
        self.pubsubhub = PubSubHub(loop=self.loop, executor=self.executor)
        self.replies, self.calls, self.crashes, self.session = replies, [], [], None

    def send_message(self, m):
        # prove that the patch can be serialised just as the real transport does
        self.pack([m.action, m.body])
        if m.action == ClientAction.SESSION_CRASHED:
            self.crashes.append(m.body.message)
        if m.action == ClientAction.INVOKE_METHOD:
            b = m.body
            self.calls.append((b.name, b.args))
            r = self.replies.get(b.name)
            r = r(b.args) if callable(r) else r
            self.loop.call_soon(self.session.handle_invoke_method_results, b.control_id, b.call_id, r, None)

    def pack(self, o):
        return msgpack.packb(
            o, default=configure_encode_object_for_msgpack(BaseControl)
        )  # encoding also takes the snapshots that later diffs need

    def get_upload_url(self, file_name, expires):
        return f"/upload?f={file_name}"


class AppDriver:
    @classmethod
    async def start(cls, main, replies=None, page_props=None):
        self = cls()
        self.conn = FakeConnection(replies or {})
        self.session = Session(self.conn)
        self.conn.session = self.session
        props = {
            "route": "/",
            "web": True,
            "platform": "linux",
            "width": 400,
            "height": 800,
            "pwa": False,
            "debug": False,
            "platform_brightness": "light",
            "media": {
                "padding": {"top": 0, "right": 0, "bottom": 0, "left": 0},
                "view_padding": {"top": 0, "right": 0, "bottom": 0, "left": 0},
                "view_insets": {"top": 0, "right": 0, "bottom": 0, "left": 0},
                "device_pixel_ratio": 1,
                "orientation": "portrait",
            },
        } | (page_props or {})
        self.session.apply_page_patch(props)
        self.page = self.session.page
        self.conn.pack(self.session.get_page_patch())  # = REGISTER_CLIENT: mounts and indexes the page
        _context_page.set(self.page)
        context.reset_auto_update()
        r = main(self.page)
        if inspect.isawaitable(r):
            await r
        await self.session.after_event(self.page)
        await self.settle()
        return self

    async def settle(self, turns=30):
        for _ in range(turns):
            await asyncio.sleep(0)
        assert not self.conn.crashes, self.conn.crashes[0]

    def all(self, type_=None, **props):
        out, seen = [], set()

        def walk(o):
            o = unwrap_component(o)
            if isinstance(o, (list, tuple)):
                [walk(x) for x in o]
                return
            if not isinstance(o, BaseControl) or id(o) in seen:
                return
            seen.add(id(o))
            if (type_ is None or isinstance(o, type_)) and all(
                getattr(o, k, None) == v for k, v in props.items()
            ):
                out.append(o)
            for f in o.__dataclass_fields__:
                if f.startswith("_") and f not in ("_dialogs",):
                    continue
                if f in ("parent", "page"):
                    continue
                v = getattr(o, f, None)
                if isinstance(v, (BaseControl, list, tuple)):
                    walk(v)

        walk(self.page.views)
        walk(self.page._dialogs)
        return out

    def one(self, type_=None, **props):
        r = self.all(type_, **props)
        assert len(r) == 1, f"{len(r)} matches for {type_} {props}"
        return r[0]

    def texts(self):
        return [t.value for t in self.all(ft.Text)]

    async def fire(self, control, event, data=None, **patch):
        if patch:
            self.session.apply_patch(control._i, patch)  # as the client does for value/selected_index
        await self.session.dispatch_event(control._i, event, data)
        await self.settle()

    async def close(self):
        self.session.close()
