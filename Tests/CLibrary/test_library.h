/* What the files of this test share: its arguments, and steps that several of them take. */
#ifndef TEST_LIBRARY_H
#define TEST_LIBRARY_H

#include <quietzone/quietzone.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define QR_TEXT "https://example.org/quietzone"

/* The folder of sample pictures, decode-image, and a worker that never answers. */
extern const char *samples, *program, *silent;
/* The pixels of qr.png. */
extern uint8_t *gray;
extern uint32_t width, height;
extern int failures;

/* Counts and prints a failure unless `holds`. */
void expect(int holds, const char *group, const char *name);
/* Returns memory whose end is followed by a page that cannot be read. */
uint8_t *guarded(size_t size);
/* Returns the path of a sample, until the next call. */
char *sample(const char *name);
uint8_t *file_bytes(const char *path, size_t *size);
int has_qr_text(const quietzone_result *result);

void test_reading(void);
void test_pixels(void);
void test_misuse_of_pixels(void);
void test_errors(void);
void test_misuse_of_options(void);
void test_misuse_of_results(void);
void test_cancellation(void);
void test_few_descriptors(void);
void test_workers(void);
void test_threads(void);

#endif
