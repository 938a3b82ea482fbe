#include "qz_v4l2.h"
#include "qz_device_file.h"

static const unsigned long codes[] = {
    [qz_v4l2_querycap] = VIDIOC_QUERYCAP,
    [qz_v4l2_enum_fmt] = VIDIOC_ENUM_FMT,
    [qz_v4l2_enum_framesizes] = VIDIOC_ENUM_FRAMESIZES,
    [qz_v4l2_enum_frameintervals] = VIDIOC_ENUM_FRAMEINTERVALS,
    [qz_v4l2_s_fmt] = VIDIOC_S_FMT,
    [qz_v4l2_s_parm] = VIDIOC_S_PARM,
    [qz_v4l2_reqbufs] = VIDIOC_REQBUFS,
    [qz_v4l2_querybuf] = VIDIOC_QUERYBUF,
    [qz_v4l2_qbuf] = VIDIOC_QBUF,
    [qz_v4l2_dqbuf] = VIDIOC_DQBUF,
    [qz_v4l2_streamon] = VIDIOC_STREAMON,
    [qz_v4l2_streamoff] = VIDIOC_STREAMOFF,
    [qz_v4l2_queryctrl] = VIDIOC_QUERYCTRL,
    [qz_v4l2_querymenu] = VIDIOC_QUERYMENU,
    [qz_v4l2_g_ctrl] = VIDIOC_G_CTRL,
    [qz_v4l2_s_ctrl] = VIDIOC_S_CTRL,
    [qz_v4l2_subscribe_event] = VIDIOC_SUBSCRIBE_EVENT,
    [qz_v4l2_dqevent] = VIDIOC_DQEVENT,
};

int qz_v4l2_ioctl(int descriptor, enum qz_v4l2_request request, void *argument) {
    int result = qz_device_call(descriptor, codes[request], argument);
    return result < 0 ? result : 0;
}
