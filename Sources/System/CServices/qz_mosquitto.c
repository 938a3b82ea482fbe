#include "qz_mosquitto.h"

#include "qz_load.h"

QZ_DEFINE_LOADER(qz_mosquitto, QZ_MOSQUITTO_FUNCTIONS, "libmosquitto.so.1")
