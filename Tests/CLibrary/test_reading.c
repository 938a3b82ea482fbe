/* Tests what is read of files and of bytes. */
#include "test_library.h"

#include <string.h>

void test_reading(void) {
    quietzone_context *context = quietzone_context_new();
    quietzone_result *result = NULL;
    expect(quietzone_decode_file(context, sample("qr.png"), &result) == QUIETZONE_OK, "file", "status");
    /* A result does not need its context. */
    quietzone_context_free(context);
    size_t size = 0;
    double corners[8];
    const double expected[8] = {16, 16, 116, 16, 116, 116, 16, 116};
    expect(quietzone_result_status(result) == QUIETZONE_OK, "file", "status of the result");
    expect(strcmp(quietzone_result_message(result), "") == 0, "file", "no message");
    expect(has_qr_text(result), "file", "text");
    expect(
        memcmp(quietzone_symbol_bytes(result, 0, &size), QR_TEXT, strlen(QR_TEXT)) == 0 && size == strlen(QR_TEXT),
        "file", "bytes");
    expect(strcmp(quietzone_symbol_format(result, 0), "qr_code") == 0, "file", "format");
    expect(strcmp(quietzone_symbol_identifier(result, 0), "]Q1") == 0, "file", "identifier");
    expect(quietzone_symbol_corners(result, 0, corners) == QUIETZONE_OK, "file", "corners");
    for (size_t i = 0; i < COUNT(corners); i++)
        expect(corners[i] > expected[i] - 0.5 && corners[i] < expected[i] + 0.5, "file", "a corner");
    expect(quietzone_result_width(result) == width && quietzone_result_height(result) == height, "file", "size");
    const char *json = quietzone_result_json(result, &size);
    expect(strlen(json) == size && json[0] == '{' && strstr(json, "\"schema\":1") != NULL, "file", "JSON");
    expect(quietzone_result_json(result, NULL) == json, "file", "JSON stays at its address");
    json = quietzone_symbol_json(result, 0, &size);
    expect(strlen(json) == size && strstr(json, "\"errorCorrectionLevel\":\"L\"") != NULL, "file", "JSON of a symbol");
    expect(quietzone_symbol_json(result, 0, NULL) == json, "file", "JSON of a symbol stays at its address");
    quietzone_result_free(result);

    context = quietzone_context_new();
    uint8_t *bytes = file_bytes(sample("order-form.png"), &size);
    expect(quietzone_decode_bytes(context, bytes, size, &result) == QUIETZONE_OK, "bytes", "status");
    expect(quietzone_result_count(result) == 5, "bytes", "symbols");
    quietzone_result_free(result);
    quietzone_set_formats(context, "ean_13,itf");
    quietzone_decode_bytes(context, bytes, size, &result);
    expect(quietzone_result_count(result) == 2, "bytes", "symbols of two formats");
    quietzone_result_free(result);
    quietzone_set_formats(context, NULL);
    quietzone_set_option(context, QUIETZONE_MAXIMUM_COUNT, 1);
    quietzone_decode_bytes(context, bytes, size, &result);
    expect(quietzone_result_count(result) == 1, "bytes", "one symbol");
    quietzone_result_free(result);
    quietzone_set_option(context, QUIETZONE_CONTENT, 1);
    quietzone_decode_file(context, sample("data-matrix-gs1.png"), &result);
    expect(strstr(quietzone_result_json(result, NULL), "\"content\":{") != NULL, "file", "content in the JSON");
    expect(strstr(quietzone_symbol_json(result, 0, NULL), "\"content\":{") != NULL, "file", "content of a symbol");
    quietzone_result_free(result);

    uint8_t *key = file_bytes(sample("seal-keys/DETS-32.pem"), &size);
    quietzone_decode_file(context, sample("seal.png"), &result);
    expect(strstr(quietzone_symbol_json(result, 0, NULL), "\"signature\"") == NULL, "signature", "without a key");
    quietzone_result_free(result);
    expect(quietzone_add_signing_key(context, key, size, "seals") == QUIETZONE_OK, "signature", "key");
    quietzone_decode_file(context, sample("seal.png"), &result);
    expect(strstr(quietzone_symbol_json(result, 0, NULL), "\"value\":\"valid\"") != NULL, "signature", "valid");
    expect(strstr(quietzone_result_json(result, NULL), "\"value\":\"seals\"") != NULL, "signature", "signer");
    quietzone_result_free(result);
    quietzone_context_free(context);
}
