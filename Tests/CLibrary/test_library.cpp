// Calls the C library from C++ by quietzone.hpp.
//
// usage: test_library SAMPLES DECODE-IMAGE

#include <quietzone/quietzone.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <utility>

static int failures = 0;

static void expect(bool holds, const char *name) {
    std::printf("%s: %s\n", holds ? "ok" : "FAILED", name);
    failures += !holds;
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    const std::string samples = arguments[1];
    quietzone::context first;
    first.set_worker_program(arguments[2]);
    first.set(QUIETZONE_WORKERS, 1);
    first.set_formats("qr_code,code_128,ean_13");
    quietzone::context context = std::move(first);

    const auto symbols = context.decode_file(samples + "/qr.png");
    expect(symbols.size() == 1 && symbols[0].text == "https://example.org/quietzone", "a file");
    expect(symbols[0].format == "qr_code" && symbols[0].identifier == "]Q1", "format and identifier");
    expect(std::string(symbols[0].bytes.begin(), symbols[0].bytes.end()) == symbols[0].text, "bytes");
    const quietzone::point corner = symbols[0].corners[2];
    expect(std::abs(corner.x - 116) < 0.5 && std::abs(corner.y - 116) < 0.5, "corners");
    expect(symbols[0].json.find("\"errorCorrectionLevel\":\"L\"") != std::string::npos, "JSON");

    std::ifstream file(samples + "/order-form.png", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    expect(context.decode_bytes(bytes).size() == 3, "bytes, of which three have the formats");
    expect(context.decode_bytes(bytes, true).size() == 3, "bytes in a worker");

    std::ifstream certificate(samples + "/seal-keys/DETS-32.pem");
    context.add_signing_key(std::string{std::istreambuf_iterator<char>(certificate), {}}, "signer");
    context.set(QUIETZONE_CONTENT, 1);
    context.set_formats(quietzone_formats());
    const auto seals = context.decode_file(samples + "/seal.png");
    expect(seals.size() == 1 && seals[0].json.find("\"value\":\"valid\"") != std::string::npos, "a signature");
    try {
        context.add_signing_key("no key", "x");
        expect(false, "bytes that are no key throw");
    } catch (const quietzone::error &error) {
        expect(error.status == QUIETZONE_INVALID_KEY, "bytes that are no key throw");
    }

    const std::vector<unsigned char> white(64 * 64, 255);
    expect(context.decode_pixels({white.data(), white.size(), 64, 64}).empty(), "pixels without a symbol");
    try {
        context.decode_file(samples + "/nothing.png");
        expect(false, "a missing file throws");
    } catch (const quietzone::error &error) {
        expect(error.status == QUIETZONE_NOT_FOUND, "a missing file throws");
        expect(std::string(error.what()).find("nothing.png") != std::string::npos, "the sentence names the file");
    }
    try {
        context.decode_file(samples + "/qr.png" + '\0' + ".txt");
        expect(false, "a path with a zero byte throws");
    } catch (const quietzone::error &error) {
        expect(error.status == QUIETZONE_NOT_FOUND, "a path with a zero byte throws");
    }
    try {
        context.set(QUIETZONE_PAGE, 0);
        expect(false, "an option outside its range throws");
    } catch (const quietzone::error &error) {
        expect(error.status == QUIETZONE_INVALID_OPTION, "an option outside its range throws");
    }
    return failures != 0;
}
