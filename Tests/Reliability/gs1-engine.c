/* Asks GS1's syntax engine about messages, for gs1.py.
 *
 * Each line of standard input is a kind, a tab and the message with bytes as %HH. The kinds are scan (element strings
 * behind a symbology identifier such as ]d2, with GS for FNC1), text (with identifiers in brackets) and link. Each line
 * of standard output is a JSON object:
 *
 *   parses   whether each element is right by itself
 *   error    why not
 *   goes     whether the elements go together too: required ones, exclusive ones, repeated ones, signatures
 *   wrong    why not
 *   elements [identifier, value, title] of each
 *
 * The rules for elements that go together cannot be disabled by the public header, but for one, so the engine's own
 * header is used. NUL bytes end the message for the engine.
 *
 * gs1.py compiles it, together with src/c-lib of https://github.com/gs1/gs1-syntax-engine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enc-private.h"
#include "gs1encoders.h"

static void quoted(const char *text) {
    putchar('"');
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\') printf("\\%c", *p);
        else if (*p < 0x20 || *p >= 0x7F) printf("\\u%04x", *p);
        else putchar(*p);
    }
    putchar('"');
}

static bool accepts(gs1_encoder *engine, const char *kind, char *message) {
    if (!strcmp(kind, "scan")) return gs1_encoder_setScanData(engine, message);
    if (!strcmp(kind, "text")) return gs1_encoder_setAIdataStr(engine, message);
    return gs1_encoder_setDataStr(engine, message);
}

int main(void) {
    gs1_encoder *single = gs1_encoder_init_ex(NULL, NULL), *together = gs1_encoder_init_ex(NULL, NULL);
    if (!single || !together) return 1;
    static const int pairs[] = {gs1_encoder_vMUTEX_AIS, gs1_encoder_vREQUISITE_AIS, gs1_encoder_vREPEATED_AIS,
                                gs1_encoder_vDIGSIG_SERIAL_KEY};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) single->validationTable[pairs[i]].enabled = false;
    gs1_encoder_setPermitZeroSuppressedGTINinDLuris(single, true);
    gs1_encoder_setPermitZeroSuppressedGTINinDLuris(together, true);

    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = getline(&line, &size, stdin)) > 0) {
        if (line[length - 1] == '\n') line[--length] = 0;
        char *message = strchr(line, '\t');
        if (!message) return 2;
        *message++ = 0;
        char *end = message;
        for (char *p = message; *p; p++) {
            unsigned value;
            if (*p == '%' && sscanf(p + 1, "%2x", &value) == 1) *end++ = (char)value, p += 2;
            else *end++ = *p;
        }
        *end = 0;
        char *copy = strdup(message);
        bool parses = accepts(single, line, message);
        printf("{\"parses\":%s,\"error\":", parses ? "true" : "false");
        quoted(parses ? "" : gs1_encoder_getErrMsg(single));
        bool goes = accepts(together, line, copy);
        printf(",\"goes\":%s,\"wrong\":", goes ? "true" : "false");
        quoted(goes ? "" : gs1_encoder_getErrMsg(together));
        printf(",\"elements\":[");
        if (parses) {
            /* "(AI) VALUE", and with titles "TITLE (AI) VALUE". */
            char **lines, *plain[MAX_AIS];
            gs1_encoder_setIncludeDataTitlesInHRI(single, false);
            int count = gs1_encoder_getHRI(single, &lines);
            for (int i = 0; i < count; i++) plain[i] = strdup(lines[i]);
            gs1_encoder_setIncludeDataTitlesInHRI(single, true);
            gs1_encoder_getHRI(single, &lines);
            for (int i = 0; i < count; i++) {
                size_t title = strlen(lines[i]) - strlen(plain[i]);
                lines[i][title > 0 ? title - 1 : 0] = 0;
                char *value = strchr(plain[i], ')');
                *value = 0;
                printf("%s[", i ? "," : "");
                quoted(plain[i] + 1);
                putchar(',');
                quoted(value + 2);
                putchar(',');
                quoted(title > 0 ? lines[i] : "");
                putchar(']');
                free(plain[i]);
            }
        }
        printf("]}\n");
        free(copy);
    }
    free(line);
    return 0;
}
