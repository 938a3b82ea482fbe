#pragma once
#include <linux/videodev2.h>
#include <stddef.h>
#include <stdint.h>

// What Swift cannot import of the kernel's V4L2 interface: the request codes, which are macros that compute. The structs are the kernel's own.

enum qz_v4l2_request {
    qz_v4l2_querycap,
    qz_v4l2_enum_fmt,
    qz_v4l2_enum_framesizes,
    qz_v4l2_enum_frameintervals,
    qz_v4l2_s_fmt,
    qz_v4l2_s_parm,
    qz_v4l2_reqbufs,
    qz_v4l2_querybuf,
    qz_v4l2_qbuf,
    qz_v4l2_dqbuf,
    qz_v4l2_streamon,
    qz_v4l2_streamoff,
    qz_v4l2_queryctrl,
    qz_v4l2_querymenu,
    qz_v4l2_g_ctrl,
    qz_v4l2_s_ctrl,
    qz_v4l2_subscribe_event,
    qz_v4l2_dqevent,
};

// ioctl(2), again where a signal came in between. 0, or the negative errno.
int qz_v4l2_ioctl(int descriptor, enum qz_v4l2_request request, void *argument);
