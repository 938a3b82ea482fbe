// libmosquitto, loaded when a destination of the type mqtt needs it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <mosquitto.h>
#include <mqtt_protocol.h>

#define QZ_MOSQUITTO_FUNCTIONS(use)                                                                                  \
    use(mosquitto_lib_init) use(mosquitto_new) use(mosquitto_destroy) use(mosquitto_int_option)                       \
    use(mosquitto_will_set) use(mosquitto_username_pw_set) use(mosquitto_tls_set)                                     \
    use(mosquitto_connect_v5_callback_set) use(mosquitto_publish_v5_callback_set) use(mosquitto_log_callback_set)     \
    use(mosquitto_connect_async) use(mosquitto_disconnect_v5) use(mosquitto_publish_v5) use(mosquitto_socket)         \
    use(mosquitto_want_write) use(mosquitto_loop_read) use(mosquitto_loop_write) use(mosquitto_loop_misc)             \
    use(mosquitto_property_add_string) use(mosquitto_property_add_string_pair) use(mosquitto_property_free_all)       \
    use(mosquitto_subscribe_v5) use(mosquitto_subscribe_v5_callback_set) use(mosquitto_message_v5_callback_set)       \
    use(mosquitto_strerror) use(mosquitto_reason_string) use(mosquitto_connack_string)

/// The functions of libmosquitto that are called, by their own names.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *_Nonnull name;
    QZ_MOSQUITTO_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_mosquitto;

/// The functions, valid until the process ends; NULL where the library is not installed.
const qz_mosquitto *_Nullable qz_mosquitto_load(void);
