// Plays grey pictures to a V4L2 output device, one after the other in a circle, until the device goes or the process
// is ended. What stands at the other end of a looped cable sees them as a camera's frames.
//
// A multi-planar device gets the luma in its first plane.
//
// usage: play_frames DEVICE FORMAT WIDTH HEIGHT FRAMES_EACH FILE...     files are WIDTH * HEIGHT bytes of luma
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static void die(const char *what) {
    fprintf(stderr, "play_frames: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void call(int device, unsigned long request, void *argument, const char *what) {
    if (ioctl(device, request, argument) < 0) die(what);
}

// Lays luma out as the format has it; chroma is neutral already.
static void fill(uint8_t *to, const uint8_t *luma, const char *format, int width, int height, int stride) {
    int wide = !strcmp(format, "Y16 ") ? 8 : !strcmp(format, "Y12 ") ? 4 : !strcmp(format, "Y10 ") ? 2 : 0;
    int first = strcmp(format, "UYVY") ? 0 : 1;
    int packed = first || !strcmp(format, "YUYV") || !strcmp(format, "YVYU");
    for (int y = 0; y < height; y++, luma += width, to += stride) {
        if (!wide && !packed) memcpy(to, luma, (size_t)width);
        for (int x = 0; packed && x < width; x++) to[2 * x + first] = luma[x];
        for (int x = 0; wide && x < width; x++) {
            to[2 * x] = (uint8_t)(luma[x] << wide);
            to[2 * x + 1] = luma[x] >> (8 - wide);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 7) {
        fprintf(stderr, "usage: play_frames DEVICE FORMAT WIDTH HEIGHT FRAMES_EACH FILE...\n");
        return 64;
    }
    const char *format = argv[2];
    int width = atoi(argv[3]), height = atoi(argv[4]), each = atoi(argv[5]);
    int device = open(argv[1], O_RDWR);
    if (device < 0) die("open");

    struct v4l2_capability capability;
    call(device, VIDIOC_QUERYCAP, &capability, "VIDIOC_QUERYCAP");
    int planar = (capability.device_caps & V4L2_CAP_VIDEO_OUTPUT_MPLANE) != 0;
    struct v4l2_format f = {.type = planar ? V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE : V4L2_BUF_TYPE_VIDEO_OUTPUT};
    // These four have the same places in the format of a multi-planar device.
    f.fmt.pix.width = (uint32_t)width;
    f.fmt.pix.height = (uint32_t)height;
    f.fmt.pix.pixelformat = v4l2_fourcc(format[0], format[1], format[2], format[3]);
    f.fmt.pix.field = V4L2_FIELD_NONE;
    call(device, VIDIOC_S_FMT, &f, "VIDIOC_S_FMT");
    if ((int)f.fmt.pix.width != width || (int)f.fmt.pix.height != height) {
        fprintf(stderr, "play_frames: the device takes %ux%u\n", f.fmt.pix.width, f.fmt.pix.height);
        return 1;
    }
    struct v4l2_requestbuffers request = {.count = 4, .type = f.type, .memory = V4L2_MEMORY_MMAP};
    call(device, VIDIOC_REQBUFS, &request, "VIDIOC_REQBUFS");

    size_t count = (size_t)width * (size_t)height;
    uint8_t *pictures = malloc(count * (size_t)(argc - 6));
    for (int i = 6; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        if (!file || fread(pictures + count * (size_t)(i - 6), 1, count, file) != count) die(argv[i]);
        fclose(file);
    }
    unsigned stride = planar ? f.fmt.pix_mp.plane_fmt[0].bytesperline : f.fmt.pix.bytesperline;
    unsigned plane_count = planar ? f.fmt.pix_mp.num_planes : 1;
    uint8_t *memory[32];
    int played = 0;
    for (unsigned i = 0;; i++) {
        struct v4l2_plane planes[VIDEO_MAX_PLANES] = {0};
        struct v4l2_buffer buffer = {.index = i, .type = f.type, .memory = V4L2_MEMORY_MMAP};
        if (planar) {
            buffer.m.planes = planes;
            buffer.length = VIDEO_MAX_PLANES;
        }
        if (i < request.count) {
            call(device, VIDIOC_QUERYBUF, &buffer, "VIDIOC_QUERYBUF");
            if (!planar) {
                planes[0].length = buffer.length;
                planes[0].m.mem_offset = buffer.m.offset;
            }
            // Backwards, so that the first plane is the one that is kept.
            for (unsigned p = plane_count; p-- > 0;) {
                memory[i] = mmap(
                    NULL, planes[p].length, PROT_READ | PROT_WRITE, MAP_SHARED, device, planes[p].m.mem_offset);
                if (memory[i] == MAP_FAILED) die("mmap");
                memset(memory[i], 128, planes[p].length);
            }
        } else {
            if (i == request.count) call(device, VIDIOC_STREAMON, &f.type, "VIDIOC_STREAMON");
            call(device, VIDIOC_DQBUF, &buffer, "VIDIOC_DQBUF");
        }
        fill(memory[buffer.index], pictures + count * (size_t)((played / each) % (argc - 6)), format, width, height,
             (int)stride);
        played++;
        buffer.field = V4L2_FIELD_NONE;
        for (unsigned p = 0; planar && p < plane_count; p++) {
            planes[p].bytesused = f.fmt.pix_mp.plane_fmt[p].sizeimage;
        }
        if (!planar) buffer.bytesused = f.fmt.pix.sizeimage;
        call(device, VIDIOC_QBUF, &buffer, "VIDIOC_QBUF");
    }
}
