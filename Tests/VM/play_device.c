// Plays a scan gun or a scale to the kernel, which has it as a device like any other until this ends.
//
// usage: play_device keyboard NAME LAYOUT     types each line of standard input and Enter, as a gun set to LAYOUT does
//        play_device gun NAME                 a scanner in HID POS mode, which sends each line with the identifier ]Q1
//        play_device scale NAME               a scale in HID POS mode: each line is a weight in grams
//        play_device alphabet LAYOUT          writes all characters that a gun set to LAYOUT can type, 24 on a line
//        play_device encode                   writes each line of standard input in base64
//        play_device first COMMAND...         runs a program that goes before the devices on their processor: whatever a
//                                             device sends wakes it at once, so that nothing depends on how fast the
//                                             machine is
//        play_device second COMMAND...        the same for one that gives way to those
//
// Says "ready" once the device is there, and "sent NUMBER" behind each line. A keyboard sends a key a millisecond, as fast as
// USB takes reports of a gun: the kernel keeps 64 events for a program that comes late. It ends a line with Enter unless the
// line ends with the character U+0001; it waits 20 ms between two characters of a line that begins with U+0002.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/uhid.h>
#include <linux/uinput.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void die(const char *what) {
    fprintf(stderr, "play_device: %s: %s\n", what, strerror(errno));
    exit(1);
}

// The keys that type a character: key and level, perhaps behind those of a mark.
struct stroke {
    uint16_t key;
    uint8_t level;
};
struct entry {
    uint32_t character;
    int count;
    struct stroke strokes[2];
};

static struct entry entries[8192];
static int entry_count;

static struct entry *find(uint32_t character) {
    for (int i = 0; i < entry_count; i++)
        if (entries[i].character == character) return &entries[i];
    return NULL;
}

static void add(uint32_t character, int count, struct stroke first, struct stroke second) {
    if (find(character) || entry_count == sizeof entries / sizeof *entries) return;
    entries[entry_count++] = (struct entry){character, count, {first, second}};
}

// Reads /layouts, which KeyboardLayout.swift describes; this is a reader of its own, so that a fault of that one shows.
static void read_layout(const char *layout) {
    static struct {
        uint32_t mark;
        struct stroke stroke;
    } marks[512];
    int mark_count = 0, is_ours = 0, is_marks = 0;
    char line[256];
    FILE *file = fopen("/layouts", "r");
    if (!file) die("/layouts");
    while (fgets(line, sizeof line, file)) {
        char name[64], words[4][16];
        if (line[0] == '#') continue;
        if (sscanf(line, "layout %63s", name) == 1) {
            is_ours = !strcmp(name, layout);
        } else if (!strncmp(line, "marks", 5)) {
            is_marks = 1;
        } else if (is_marks) {
            unsigned mark, letter, composed;
            if (sscanf(line, "%x %x %x", &mark, &letter, &composed) != 3) continue;
            struct entry *of = find(letter);
            for (int i = 0; of && of->count == 1 && i < mark_count; i++)
                if (marks[i].mark == mark) add(composed, 2, marks[i].stroke, of->strokes[0]);
        } else if (is_ours) {
            unsigned key;
            int count = sscanf(line, "%u %15s %15s %15s %15s", &key, words[0], words[1], words[2], words[3]) - 1;
            for (int level = 0; level < count; level++) {
                struct stroke stroke = {(uint16_t)key, (uint8_t)level};
                if (words[level][0] == '~' && mark_count < 512) {
                    marks[mark_count].mark = (uint32_t)strtoul(words[level] + 1, NULL, 16);
                    marks[mark_count++].stroke = stroke;
                } else if (words[level][0] != '-') {
                    add((uint32_t)strtoul(words[level], NULL, 16), 1, stroke, stroke);
                }
            }
        }
    }
    fclose(file);
    if (!entry_count) die(layout);
}

static uint32_t next_character(const char **text) {
    const uint8_t *bytes = (const uint8_t *)*text;
    int more = bytes[0] >= 0xF0 ? 3 : bytes[0] >= 0xE0 ? 2 : bytes[0] >= 0xC0 ? 1 : 0;
    uint32_t character = more ? bytes[0] & (0x3F >> more) : bytes[0];
    for (int i = 1; i <= more; i++) character = character << 6 | (bytes[i] & 0x3F);
    *text += 1 + more;
    return character;
}

static void write_alphabet(void) {
    for (int i = 0; i < entry_count; i++) {
        uint32_t c = entries[i].character;
        if (c < 0x80) printf("%c", (int)c);
        else if (c < 0x800) printf("%c%c", (int)(0xC0 | c >> 6), (int)(0x80 | (c & 0x3F)));
        else printf("%c%c%c", (int)(0xE0 | c >> 12), (int)(0x80 | (c >> 6 & 0x3F)), (int)(0x80 | (c & 0x3F)));
        if (i % 24 == 23 || i == entry_count - 1) printf("\n");
    }
}

static int device;

static void send_event(uint16_t type, uint16_t code, int32_t value) {
    struct input_event event = {.type = type, .code = code, .value = value};
    if (write(device, &event, sizeof event) != sizeof event) die("write");
}

static void key(uint16_t code, int is_down) {
    send_event(EV_KEY, code, is_down);
    send_event(EV_SYN, SYN_REPORT, 0);
    usleep(1000);
}

static void press(uint16_t code, int level) {
    if (level & 1) key(KEY_LEFTSHIFT, 1);
    if (level & 2) key(KEY_RIGHTALT, 1);
    key(code, 1);
    key(code, 0);
    if (level & 2) key(KEY_RIGHTALT, 0);
    if (level & 1) key(KEY_LEFTSHIFT, 0);
}

static void type(const char *text) {
    useconds_t pause = 0;
    while (*text) {
        uint32_t character = next_character(&text);
        if (character == 1) return;
        if (character == 2) {
            pause = 20000;
            continue;
        }
        if (pause) usleep(pause);
        if (character == 0x1D) {
            key(KEY_LEFTCTRL, 1);
            press(KEY_RIGHTBRACE, 0);
            key(KEY_LEFTCTRL, 0);
            continue;
        }
        struct entry *entry = find(character);
        if (!entry) {
            errno = EILSEQ;
            die("a character that the layout does not have");
        }
        for (int i = 0; i < entry->count; i++) press(entry->strokes[i].key, entry->strokes[i].level);
    }
    press(KEY_ENTER, 0);
}

static void plug_keyboard(const char *name) {
    device = open("/dev/uinput", O_WRONLY);
    if (device < 0) die("/dev/uinput");
    ioctl(device, UI_SET_EVBIT, EV_KEY);
    for (int code = 1; code < 248; code++) ioctl(device, UI_SET_KEYBIT, code);
    struct uinput_setup setup = {.id = {.bustype = BUS_USB, .vendor = 0x05E0, .product = 0x1200}};
    snprintf(setup.name, sizeof setup.name, "%s", name);
    if (ioctl(device, UI_DEV_SETUP, &setup) < 0 || ioctl(device, UI_DEV_CREATE) < 0) die("UI_DEV_CREATE");
}

// A scanner: report 2 has a count, an identifier, 56 bytes and whether the message goes on.
static const uint8_t gun[] = {
    0x05, 0x8C, 0x09, 0x02, 0xA1, 0x01, 0x85, 0x02, 0x09, 0x12, 0xA1, 0x02, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08,
    0x95, 0x01, 0x05, 0x01, 0x09, 0x3B, 0x81, 0x02, 0x95, 0x03, 0x05, 0x8C, 0x09, 0xFB, 0x09, 0xFC, 0x09, 0xFD, 0x81,
    0x02, 0x95, 0x38, 0x09, 0xFE, 0x82, 0x02, 0x01, 0x75, 0x01, 0x95, 0x01, 0x25, 0x01, 0x09, 0xFF, 0x81, 0x02, 0x95,
    0x07, 0x81, 0x03, 0xC0, 0xC0,
};
// A scale: report 3 has the status, the unit, the exponent and two bytes of weight.
static const uint8_t scale[] = {
    0x05, 0x8D, 0x09, 0x20, 0xA1, 0x01, 0x85, 0x03, 0x09, 0x32, 0xA1, 0x02, 0x15, 0x01, 0x25, 0x08, 0x75, 0x08, 0x95,
    0x01, 0x09, 0x70, 0xA1, 0x02, 0x09, 0x71, 0x09, 0x72, 0x09, 0x73, 0x09, 0x74, 0x09, 0x75, 0x09, 0x76, 0x09, 0x77,
    0x09, 0x78, 0x81, 0x00, 0xC0, 0x15, 0x01, 0x25, 0x0C, 0x09, 0x50, 0xA1, 0x02, 0x19, 0x51, 0x29, 0x5C, 0x81, 0x00,
    0xC0, 0x15, 0x81, 0x25, 0x7F, 0x09, 0x41, 0x81, 0x02, 0x15, 0x00, 0x27, 0xFF, 0xFF, 0x00, 0x00, 0x75, 0x10, 0x09,
    0x40, 0x81, 0x02, 0xC0, 0xC0,
};

static struct uhid_event hid_event;

static void send_hid(void) {
    if (write(device, &hid_event, sizeof hid_event) < 0) die("uhid");
    memset(&hid_event, 0, sizeof hid_event);
}

static void plug_hid(const char *name, const uint8_t *descriptor, size_t size, uint16_t product) {
    device = open("/dev/uhid", O_RDWR);
    if (device < 0) die("/dev/uhid");
    hid_event.type = UHID_CREATE2;
    snprintf((char *)hid_event.u.create2.name, sizeof hid_event.u.create2.name, "%s", name);
    snprintf((char *)hid_event.u.create2.uniq, sizeof hid_event.u.create2.uniq, "SN-%s", name);
    memcpy(hid_event.u.create2.rd_data, descriptor, size);
    hid_event.u.create2.rd_size = (uint16_t)size;
    hid_event.u.create2.bus = BUS_USB;
    hid_event.u.create2.vendor = 0x0C2E;
    hid_event.u.create2.product = product;
    send_hid();
    // It takes reports from the time on that the kernel's driver has it.
    struct uhid_event answer = {0};
    while (answer.type != UHID_START)
        if (read(device, &answer, sizeof answer) <= 0) die("uhid");
}

static void send_report(const uint8_t *report, size_t size) {
    hid_event.type = UHID_INPUT2;
    hid_event.u.input2.size = (uint16_t)size;
    memcpy(hid_event.u.input2.data, report, size);
    send_hid();
}

static void scan(const char *text) {
    size_t rest = strlen(text);
    do {
        size_t part = rest < 56 ? rest : 56;
        uint8_t report[62] = {2, (uint8_t)part, ']', 'Q', '1'};
        memcpy(report + 5, text, part);
        text += part;
        rest -= part;
        report[61] = rest > 0;
        send_report(report, sizeof report);
    } while (rest);
}

static void weigh(const char *grams) {
    unsigned weight = (unsigned)atoi(grams);
    uint8_t report[] = {3, 4, 2, 0, (uint8_t)weight, (uint8_t)(weight >> 8)};
    send_report(report, sizeof report);
}

static void encode(void) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static char line[16384];
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strcspn(line, "\n");
        line[length] = line[length + 1] = 0;
        for (size_t i = 0; i < length; i += 3) {
            const uint8_t *b = (const uint8_t *)line + i;
            size_t rest = length - i;
            uint32_t bits = (uint32_t)b[0] << 16 | (rest > 1 ? b[1] : 0u) << 8 | (rest > 2 ? b[2] : 0u);
            printf("%c%c%c%c", digits[bits >> 18], digits[bits >> 12 & 63], rest > 1 ? digits[bits >> 6 & 63] : '=',
                   rest > 2 ? digits[bits & 63] : '=');
        }
        printf("\n");
    }
}

static void use_first_processor(void) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    if (sched_setaffinity(0, sizeof processors, &processors) < 0) die("sched_setaffinity");
}

static void run_first(int rank, char **command) {
    struct sched_param priority = {.sched_priority = rank};
    use_first_processor();
    if (sched_setscheduler(0, SCHED_FIFO, &priority) < 0) die("sched_setscheduler");
    execvp(command[0], command);
    die(command[0]);
}

int main(int argc, char **argv) {
    const char *kind = argc > 2 || (argc == 2 && !strcmp(argv[1], "encode")) ? argv[1] : "", *layout = argc > 3 ? argv[3] : "us";
    void (*play)(const char *);
    if (!strcmp(kind, "alphabet")) {
        read_layout(argv[2]);
        write_alphabet();
        return 0;
    } else if (!strcmp(kind, "encode")) {
        encode();
        return 0;
    } else if (!strcmp(kind, "first")) {
        run_first(10, argv + 2);
    } else if (!strcmp(kind, "second")) {
        run_first(5, argv + 2);
    }
    use_first_processor();
    if (!strcmp(kind, "keyboard")) {
        read_layout(layout);
        plug_keyboard(argv[2]);
        play = type;
    } else if (!strcmp(kind, "gun")) {
        plug_hid(argv[2], gun, sizeof gun, 0x0B61);
        play = scan;
    } else if (!strcmp(kind, "scale")) {
        plug_hid(argv[2], scale, sizeof scale, 0x8003);
        play = weigh;
    } else {
        fprintf(stderr, "usage: play_device keyboard|gun|scale NAME [LAYOUT] | alphabet LAYOUT | encode | first COMMAND | second COMMAND\n");
        return 64;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");
    static char line[16384];
    for (int number = 1; fgets(line, sizeof line, stdin); number++) {
        line[strcspn(line, "\n")] = 0;
        play(line);
        printf("sent %d\n", number);
    }
    return 0;
}
