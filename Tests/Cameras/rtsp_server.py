#!/usr/bin/env python3
"""A camera with RTSP: gst-rtsp-server shows a PNG at /cam, ten frames a second, and prints `ready` when it listens.

usage: rtsp_server.py PICTURE PORT [USER PASSWORD]
"""
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402 - the versions are chosen before

Gst.init(None)
picture, port, *login = sys.argv[1:]
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(port)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_shared(True)
factory.set_launch(
    f"( filesrc location={picture} ! pngdec ! imagefreeze ! videoconvert ! videoscale "
    "! video/x-raw,width=528,height=528,format=I420,framerate=10/1 ! jpegenc ! rtpjpegpay name=pay0 pt=26 )")
if login:
    token = GstRtspServer.RTSPToken()
    token.set_string(GstRtspServer.RTSP_TOKEN_MEDIA_FACTORY_ROLE, "user")
    auth = GstRtspServer.RTSPAuth()
    auth.add_basic(GstRtspServer.RTSPAuth.make_basic(*login), token)
    server.set_auth(auth)
    permissions = GstRtspServer.RTSPPermissions()
    for permission in ("media.factory.access", "media.factory.construct"):
        permissions.add_permission_for_role("user", permission, True)
    factory.set_permissions(permissions)
server.get_mount_points().add_factory("/cam", factory)
server.attach(None)
print("ready", flush=True)
GLib.MainLoop().run()
