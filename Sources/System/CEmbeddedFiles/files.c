#include "embedded_files.h"

#include <stddef.h>
#include <string.h>

// #embed costs the compiler next to nothing. An array literal in Swift of the same bytes takes it minutes.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct {
    const char *name;
    const char *text;
} files[] = {
    // Sources/Station/BrowserBridge/Assets
    {"app-access.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-access.js" suffix(, 0)
     }},
    {"app-apps.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-apps.js" suffix(, 0)
     }},
    {"app-camera.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-camera.js" suffix(, 0)
     }},
    {"app-clerk-words.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-clerk-words.js" suffix(, 0)
     }},
    {"app-codes.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-codes.js" suffix(, 0)
     }},
    {"app-content.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-content.js" suffix(, 0)
     }},
    {"app-counting.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-counting.js" suffix(, 0)
     }},
    {"app-deliveries.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-deliveries.js" suffix(, 0)
     }},
    {"app-devices.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-devices.js" suffix(, 0)
     }},
    {"app-feel.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-feel.js" suffix(, 0)
     }},
    {"app-frames.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-frames.js" suffix(, 0)
     }},
    {"app-guns.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-guns.js" suffix(, 0)
     }},
    {"app-history.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-history.js" suffix(, 0)
     }},
    {"app-install.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-install.js" suffix(, 0)
     }},
    {"app-keyboard-words.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-keyboard-words.js" suffix(, 0)
     }},
    {"app-keyboard.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-keyboard.js" suffix(, 0)
     }},
    {"app-net.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-net.js" suffix(, 0)
     }},
    {"app-pages.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-pages.js" suffix(, 0)
     }},
    {"app-phone.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-phone.js" suffix(, 0)
     }},
    {"app-shared.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-shared.js" suffix(, 0)
     }},
    {"app-sound.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-sound.js" suffix(, 0)
     }},
    {"app-speech.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-speech.js" suffix(, 0)
     }},
    {"app-stage.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-stage.js" suffix(, 0)
     }},
    {"app-storage.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-storage.js" suffix(, 0)
     }},
    {"app-store.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-store.js" suffix(, 0)
     }},
    {"app-stream.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-stream.js" suffix(, 0)
     }},
    {"app-text.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-text.js" suffix(, 0)
     }},
    {"app-typing.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-typing.js" suffix(, 0)
     }},
    {"app-upload.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-upload.js" suffix(, 0)
     }},
    {"app-words.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-words.js" suffix(, 0)
     }},
    {"app-workplace.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app-workplace.js" suffix(, 0)
     }},
    {"app.css", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app.css" suffix(, 0)
     }},
    {"app.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/app.js" suffix(, 0)
     }},
    {"bridge-answers.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-answers.js" suffix(, 0)
     }},
    {"bridge-app.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-app.js" suffix(, 0)
     }},
    {"bridge-dialects.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-dialects.js" suffix(, 0)
     }},
    {"bridge-events.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-events.js" suffix(, 0)
     }},
    {"bridge-overlay.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-overlay.js" suffix(, 0)
     }},
    {"bridge-requests.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-requests.js" suffix(, 0)
     }},
    {"bridge-serving.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-serving.js" suffix(, 0)
     }},
    {"bridge-start.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-start.js" suffix(, 0)
     }},
    {"bridge-station.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-station.js" suffix(, 0)
     }},
    {"bridge-style.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-style.js" suffix(, 0)
     }},
    {"bridge-words.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge-words.js" suffix(, 0)
     }},
    {"bridge.d.ts", (const char[]){
#embed "../../Station/BrowserBridge/Assets/bridge.d.ts" suffix(, 0)
     }},
    {"favicon.svg", (const char[]){
#embed "../../Station/BrowserBridge/Assets/favicon.svg" suffix(, 0)
     }},
    {"index.html", (const char[]){
#embed "../../Station/BrowserBridge/Assets/index.html" suffix(, 0)
     }},
    {"manifest.webmanifest", (const char[]){
#embed "../../Station/BrowserBridge/Assets/manifest.webmanifest" suffix(, 0)
     }},
    {"openapi.json", (const char[]){
#embed "../../Station/BrowserBridge/Assets/openapi.json" suffix(, 0)
     }},
    {"phone.html", (const char[]){
#embed "../../Station/BrowserBridge/Assets/phone.html" suffix(, 0)
     }},
    {"phone.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/phone.js" suffix(, 0)
     }},
    {"service-worker.js", (const char[]){
#embed "../../Station/BrowserBridge/Assets/service-worker.js" suffix(, 0)
     }},
    // Sources/Station/BridgeDialects/Scripts
    {"detector.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/detector.js" suffix(, 0)
     }},
    {"gun.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/gun.js" suffix(, 0)
     }},
    {"herald.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/herald.js" suffix(, 0)
     }},
    {"hospital.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/hospital.js" suffix(, 0)
     }},
    {"promise.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/promise.js" suffix(, 0)
     }},
    {"recordapp.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/recordapp.js" suffix(, 0)
     }},
    {"wechat.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/wechat.js" suffix(, 0)
     }},
    // Tables
    {"KeyboardLayouts.txt", (const char[]){
#embed "../../Capture/ScanDevices/Keyboard/KeyboardLayouts.txt" suffix(, 0)
     }},
    {"SettingCodes.txt", (const char[]){
#embed "../../Capture/SettingCodes/SettingCodes.txt" suffix(, 0)
     }},
};

const char *qz_embedded_file(const char *name) {
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
        if (strcmp(files[index].name, name) == 0) return files[index].text;
    }
    __builtin_trap();
}
