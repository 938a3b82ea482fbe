/*
 * Tests the C library; each file beside this one tests a part.
 *
 * usage: test_library SAMPLES DECODE-IMAGE SILENT-PROGRAM PIXELS WIDTH HEIGHT
 *
 * SILENT-PROGRAM is a worker that never answers. PIXELS is a file with the gray pixels of SAMPLES/qr.png. Memory that
 * the library is given ends at a page that cannot be read, so that reading a byte too many ends this program.
 */
#include "test_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *samples, *program, *silent;
uint8_t *gray;
uint32_t width, height;
int failures;

void expect(int holds, const char *group, const char *name) {
    if (holds) return;
    printf("FAILED: %s: %s\n", group, name);
    failures++;
}

uint8_t *guarded(size_t size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
    uint8_t *start = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + whole, page, PROT_NONE) != 0) abort();
    return start + whole - size;
}

char *sample(const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", samples, name);
    return path;
}

uint8_t *file_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) abort();
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = guarded(*size);
    if (fread(bytes, 1, *size, file) != *size) abort();
    fclose(file);
    return bytes;
}

int has_qr_text(const quietzone_result *result) {
    size_t size = 0;
    const char *text = quietzone_symbol_text(result, 0, &size);
    return quietzone_result_count(result) == 1 && size == strlen(QR_TEXT) && strcmp(text, QR_TEXT) == 0;
}

static void test_library(void) {
    expect(quietzone_abi_version() == QUIETZONE_ABI_VERSION, "library", "ABI version");
    expect(strchr(quietzone_version(), '.') != NULL, "library", "version");
    expect(strstr(quietzone_formats(), "qr_code,") != NULL, "library", "formats");
    expect(strstr(quietzone_status_text(QUIETZONE_TOO_LARGE), "limit") != NULL, "library", "text of a status");
    expect(
        strcmp(quietzone_status_text((quietzone_status)12345), quietzone_status_text(QUIETZONE_OTHER_ERROR)) == 0,
        "library", "text of an unknown status");
}

int main(int count, char **arguments) {
    if (count != 7) return 64;
    samples = arguments[1];
    program = arguments[2];
    size_t size;
    silent = arguments[3];
    gray = file_bytes(arguments[4], &size);
    width = (uint32_t)atoi(arguments[5]);
    height = (uint32_t)atoi(arguments[6]);
    if (size != (size_t)width * height) return 64;
    test_library();
    /* Before workers are used, which a fork could not. */
    test_few_descriptors();
    test_reading();
    test_pixels();
    test_misuse_of_pixels();
    test_errors();
    test_misuse_of_options();
    test_misuse_of_results();
    test_cancellation();
    test_workers();
    test_threads();
    printf("C: %d failed\n", failures);
    return failures != 0;
}
