// The GStreamer element `quietzonedec`: passes video on as it is, and posts a message for each code in a frame.
//
// By default a separate thread reads the frames. While it is busy only the newest frame waits, so that video is never
// delayed. With drop=false each frame is read before it is passed on.
#include <gst/gst.h>
#include <gst/video/gstvideofilter.h>
#include <gst/video/video.h>
#include <quietzone/quietzone.h>

typedef struct {
    GstVideoFilter parent;
    quietzone_context *context;
    GThread *thread;
    // Guards the fields below; it is not held while a frame is read.
    GMutex mutex;
    GCond changed;
    GstBuffer *waiting;
    GstVideoInfo waiting_info;
    gboolean reading, ending, warned;
    guint64 skipped;
    gchar *formats;
    gint effort;
    gboolean message, drop;
} QuietzoneDec;

typedef struct {
    GstVideoFilterClass parent;
} QuietzoneDecClass;

static GType quietzone_dec_get_type(void);
G_DEFINE_TYPE(QuietzoneDec, quietzone_dec, GST_TYPE_VIDEO_FILTER)

GST_DEBUG_CATEGORY_STATIC(quietzonedec_debug);
#define GST_CAT_DEFAULT quietzonedec_debug

enum { FORMATS = 1, EFFORT, MESSAGE, DROP, SKIPPED };

#define PLANES "I420, YV12, NV12, NV21, Y42B, Y444, Y41B"
#define CAPS GST_VIDEO_CAPS_MAKE("{ GRAY8, " PLANES ", YUY2, YVYU, UYVY, RGB, BGR, RGBx, BGRx, RGBA, BGRA }")
static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS(CAPS));
static GstStaticPadTemplate source_template =
    GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS(CAPS));

static quietzone_pixel_format pixel_format(GstVideoFormat format) {
    switch (format) {
    case GST_VIDEO_FORMAT_GRAY8: return QUIETZONE_GRAY;
    case GST_VIDEO_FORMAT_YUY2:
    case GST_VIDEO_FORMAT_YVYU: return QUIETZONE_YUYV;
    case GST_VIDEO_FORMAT_UYVY: return QUIETZONE_UYVY;
    case GST_VIDEO_FORMAT_RGB: return QUIETZONE_RGB;
    case GST_VIDEO_FORMAT_BGR: return QUIETZONE_BGR;
    case GST_VIDEO_FORMAT_RGBx: return QUIETZONE_RGBX;
    case GST_VIDEO_FORMAT_BGRx: return QUIETZONE_BGRX;
    case GST_VIDEO_FORMAT_RGBA: return QUIETZONE_RGBA;
    case GST_VIDEO_FORMAT_BGRA: return QUIETZONE_BGRA;
    default: return QUIETZONE_YUV_PLANES;
    }
}

static void post(QuietzoneDec *self, quietzone_result *result, size_t index, GstClockTime timestamp) {
    size_t size = 0;
    const uint8_t *data = quietzone_symbol_bytes(result, index, &size);
    double numbers[8] = {0};
    quietzone_symbol_corners(result, index, numbers);
    // The C library has no function for the quality of a symbol.
    gint quality = 0;
    const char *json = quietzone_symbol_json(result, index, NULL);
    const char *field = json ? g_strrstr(json, "\"quality\":") : NULL;
    if (field) quality = (gint)g_ascii_strtoll(field + strlen("\"quality\":"), NULL, 10);

    GBytes *bytes = g_bytes_new(data, size);
    GstStructure *fields = gst_structure_new(
        "barcode", "timestamp", G_TYPE_UINT64, timestamp, "type", G_TYPE_STRING, quietzone_symbol_format(result, index),
        "symbol", G_TYPE_STRING, quietzone_symbol_text(result, index, NULL), "quality", G_TYPE_INT, quality,
        "identifier", G_TYPE_STRING, quietzone_symbol_identifier(result, index), "bytes", G_TYPE_BYTES, bytes, NULL);
    g_bytes_unref(bytes);
    GValue corners = G_VALUE_INIT, number = G_VALUE_INIT;
    g_value_init(&corners, GST_TYPE_ARRAY);
    g_value_init(&number, G_TYPE_DOUBLE);
    for (int i = 0; i < 8; i++) {
        g_value_set_double(&number, numbers[i]);
        gst_value_array_append_value(&corners, &number);
    }
    gst_structure_take_value(fields, "corners", &corners);
    gst_element_post_message(GST_ELEMENT(self), gst_message_new_element(GST_OBJECT(self), fields));
}

static void read_frame(QuietzoneDec *self, GstVideoFrame *frame) {
    gint stride = GST_VIDEO_FRAME_PLANE_STRIDE(frame, 0);
    guint width = GST_VIDEO_FRAME_WIDTH(frame), height = GST_VIDEO_FRAME_HEIGHT(frame);
    size_t row = (size_t)width * GST_VIDEO_FRAME_COMP_PSTRIDE(frame, 0);
    quietzone_pixel_format format = pixel_format(GST_VIDEO_FRAME_FORMAT(frame));
    // A packed pair of pixels has four bytes, even the last one of an odd width.
    if (format == QUIETZONE_YUYV || format == QUIETZONE_UYVY) row = ((size_t)width + 1) / 2 * 4;
    if (stride < 0 || (size_t)stride < row) return;
    quietzone_result *result = NULL;
    quietzone_status status = quietzone_decode_pixels(
        self->context, GST_VIDEO_FRAME_PLANE_DATA(frame, 0), (size_t)stride * (height - 1) + row, width, height,
        (size_t)stride, format, &result);
    g_mutex_lock(&self->mutex);
    gboolean message = self->message, warn = status != QUIETZONE_OK && status != QUIETZONE_CANCELLED && !self->warned;
    self->warned |= warn;
    g_mutex_unlock(&self->mutex);
    // Only once, because every frame may have the same fault.
    if (warn) GST_ELEMENT_WARNING(self, STREAM, DECODE, ("%s", quietzone_result_message(result)), (NULL));
    for (size_t i = 0; message && i < quietzone_result_count(result); i++)
        post(self, result, i, GST_BUFFER_PTS(frame->buffer));
    quietzone_result_free(result);
}

static gpointer read_frames(gpointer data) {
    QuietzoneDec *self = data;
    g_mutex_lock(&self->mutex);
    while (!self->ending) {
        if (!self->waiting) {
            g_cond_wait(&self->changed, &self->mutex);
            continue;
        }
        GstBuffer *buffer = g_steal_pointer(&self->waiting);
        GstVideoInfo info = self->waiting_info;
        self->reading = TRUE;
        g_mutex_unlock(&self->mutex);
        GstVideoFrame frame;
        if (gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ)) {
            read_frame(self, &frame);
            gst_video_frame_unmap(&frame);
        }
        gst_buffer_unref(buffer);
        g_mutex_lock(&self->mutex);
        self->reading = FALSE;
        g_cond_broadcast(&self->changed);
    }
    g_mutex_unlock(&self->mutex);
    return NULL;
}

static GstFlowReturn transform_frame_ip(GstVideoFilter *filter, GstVideoFrame *frame) {
    QuietzoneDec *self = (QuietzoneDec *)filter;
    g_mutex_lock(&self->mutex);
    gboolean drop = self->drop, ending = self->ending;
    if (drop && !ending) {
        if (self->waiting) self->skipped++;
        gst_buffer_replace(&self->waiting, frame->buffer);
        self->waiting_info = frame->info;
        g_cond_broadcast(&self->changed);
    }
    g_mutex_unlock(&self->mutex);
    if (!drop && !ending) read_frame(self, frame);
    return GST_FLOW_OK;
}

static gboolean set_info(
    GstVideoFilter *filter, GstCaps *in, GstVideoInfo *in_info, GstCaps *out, GstVideoInfo *out_info) {
    (void)in, (void)in_info, (void)out, (void)out_info;
    QuietzoneDec *self = (QuietzoneDec *)filter;
    g_mutex_lock(&self->mutex);
    self->warned = FALSE;
    g_mutex_unlock(&self->mutex);
    return TRUE;
}

static gboolean sink_event(GstBaseTransform *transform, GstEvent *event) {
    QuietzoneDec *self = (QuietzoneDec *)transform;
    // The last frame is read before the end of the stream is passed on: a picture is a single frame.
    if (GST_EVENT_TYPE(event) == GST_EVENT_EOS) {
        g_mutex_lock(&self->mutex);
        while (self->waiting || self->reading) g_cond_wait(&self->changed, &self->mutex);
        g_mutex_unlock(&self->mutex);
    }
    return GST_BASE_TRANSFORM_CLASS(quietzone_dec_parent_class)->sink_event(transform, event);
}

static gboolean start(GstBaseTransform *transform) {
    QuietzoneDec *self = (QuietzoneDec *)transform;
    self->context = quietzone_context_new();
    g_mutex_lock(&self->mutex);
    quietzone_status status = quietzone_set_formats(self->context, self->formats);
    quietzone_set_option(self->context, QUIETZONE_EFFORT, self->effort);
    self->ending = FALSE;
    self->skipped = 0;
    g_mutex_unlock(&self->mutex);
    if (status != QUIETZONE_OK) {
        GST_ELEMENT_ERROR(
            self, LIBRARY, SETTINGS,
            ("The formats '%s' are not known; known are %s", self->formats, quietzone_formats()),
            ("%s", quietzone_status_text(status)));
        g_clear_pointer(&self->context, quietzone_context_free);
        return FALSE;
    }
    self->thread = g_thread_new("quietzonedec", read_frames, self);
    return TRUE;
}

// Ends the reading of frames.
static void end(QuietzoneDec *self) {
    g_mutex_lock(&self->mutex);
    self->ending = TRUE;
    gst_clear_buffer(&self->waiting);
    g_cond_broadcast(&self->changed);
    g_mutex_unlock(&self->mutex);
    quietzone_cancel(self->context);
}

static GstStateChangeReturn change_state(GstElement *element, GstStateChange change) {
    // stop() is called once the streaming thread rests, which may be reading a frame or awaiting the last one.
    if (change == GST_STATE_CHANGE_PAUSED_TO_READY) end((QuietzoneDec *)element);
    return GST_ELEMENT_CLASS(quietzone_dec_parent_class)->change_state(element, change);
}

static gboolean stop(GstBaseTransform *transform) {
    QuietzoneDec *self = (QuietzoneDec *)transform;
    end(self);
    g_clear_pointer(&self->thread, g_thread_join);
    g_clear_pointer(&self->context, quietzone_context_free);
    return TRUE;
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    QuietzoneDec *self = (QuietzoneDec *)object;
    g_mutex_lock(&self->mutex);
    switch (id) {
    case FORMATS:
        g_free(self->formats);
        self->formats = g_value_dup_string(value);
        break;
    case EFFORT: self->effort = g_value_get_int(value); break;
    case MESSAGE: self->message = g_value_get_boolean(value); break;
    case DROP: self->drop = g_value_get_boolean(value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
    g_mutex_unlock(&self->mutex);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    QuietzoneDec *self = (QuietzoneDec *)object;
    g_mutex_lock(&self->mutex);
    switch (id) {
    case FORMATS: g_value_set_string(value, self->formats); break;
    case EFFORT: g_value_set_int(value, self->effort); break;
    case MESSAGE: g_value_set_boolean(value, self->message); break;
    case DROP: g_value_set_boolean(value, self->drop); break;
    case SKIPPED: g_value_set_uint64(value, self->skipped); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
    g_mutex_unlock(&self->mutex);
}

static void finalize(GObject *object) {
    QuietzoneDec *self = (QuietzoneDec *)object;
    g_free(self->formats);
    g_mutex_clear(&self->mutex);
    g_cond_clear(&self->changed);
    G_OBJECT_CLASS(quietzone_dec_parent_class)->finalize(object);
}

static void quietzone_dec_class_init(QuietzoneDecClass *class) {
    GObjectClass *object = G_OBJECT_CLASS(class);
    GstElementClass *element = GST_ELEMENT_CLASS(class);
    GstBaseTransformClass *transform = GST_BASE_TRANSFORM_CLASS(class);
    GstVideoFilterClass *filter = GST_VIDEO_FILTER_CLASS(class);
    object->set_property = set_property;
    object->get_property = get_property;
    object->finalize = finalize;
    GParamFlags both = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS, ready = both | GST_PARAM_MUTABLE_READY;
    g_object_class_install_property(object, FORMATS, g_param_spec_string(
        "formats", "Formats", "Symbologies to read, separated by commas; by default those that are not opt-in", NULL, ready));
    g_object_class_install_property(object, EFFORT, g_param_spec_int(
        "effort", "Effort", "0 fast, 1 normal, 2 thorough", 0, 2, QUIETZONE_EFFORT_NORMAL, ready));
    g_object_class_install_property(object, MESSAGE, g_param_spec_boolean(
        "message", "Message", "Post a message for each code in a frame", TRUE, both));
    g_object_class_install_property(object, DROP, g_param_spec_boolean(
        "drop", "Drop", "Do not read frames that come while another is read; false holds up video", TRUE, ready));
    g_object_class_install_property(object, SKIPPED, g_param_spec_uint64(
        "skipped", "Skipped", "Frames that were passed on unread", 0, G_MAXUINT64, 0,
        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
    gst_element_class_set_static_metadata(
        element, "Quietzone", "Filter/Analyzer/Video", "Reads barcodes and QR Codes in video", "Quietzone");
    gst_element_class_add_static_pad_template(element, &sink_template);
    gst_element_class_add_static_pad_template(element, &source_template);
    element->change_state = change_state;
    transform->start = start;
    transform->stop = stop;
    transform->sink_event = sink_event;
    transform->transform_ip_on_passthrough = TRUE;
    filter->set_info = set_info;
    filter->transform_frame_ip = transform_frame_ip;
}

static void quietzone_dec_init(QuietzoneDec *self) {
    g_mutex_init(&self->mutex);
    g_cond_init(&self->changed);
    self->effort = QUIETZONE_EFFORT_NORMAL;
    self->message = self->drop = TRUE;
    // Frames are not changed, so they need not be copied.
    gst_base_transform_set_passthrough(GST_BASE_TRANSFORM(self), TRUE);
}

static gboolean plugin_init(GstPlugin *plugin) {
    GST_DEBUG_CATEGORY_INIT(quietzonedec_debug, "quietzonedec", 0, "barcodes and QR Codes in video");
    return gst_element_register(plugin, "quietzonedec", GST_RANK_NONE, quietzone_dec_get_type());
}

#define PACKAGE "quietzone"
GST_PLUGIN_DEFINE(
    GST_VERSION_MAJOR, GST_VERSION_MINOR, quietzone, "Reads barcodes and QR Codes in video", plugin_init,
    QUIETZONE_VERSION, "Apache 2.0", "quietzone", "quietzone")
