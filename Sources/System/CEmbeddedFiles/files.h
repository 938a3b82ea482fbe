// Made by scripts/update-embedded-files.
{"StationPage", "app-access.js", (const char[]){
#embed "../../Station/StationPage/app-access.js" suffix(, 0)
 }},
{"StationPage", "app-advice.js", (const char[]){
#embed "../../Station/StationPage/app-advice.js" suffix(, 0)
 }},
{"StationPage", "app-apps.js", (const char[]){
#embed "../../Station/StationPage/app-apps.js" suffix(, 0)
 }},
{"StationPage", "app-camera.css", (const char[]){
#embed "../../Station/StationPage/app-camera.css" suffix(, 0)
 }},
{"StationPage", "app-camera.js", (const char[]){
#embed "../../Station/StationPage/app-camera.js" suffix(, 0)
 }},
{"StationPage", "app-codes.js", (const char[]){
#embed "../../Station/StationPage/app-codes.js" suffix(, 0)
 }},
{"StationPage", "app-content.js", (const char[]){
#embed "../../Station/StationPage/app-content.js" suffix(, 0)
 }},
{"StationPage", "app-counting.js", (const char[]){
#embed "../../Station/StationPage/app-counting.js" suffix(, 0)
 }},
{"StationPage", "app-deliveries.js", (const char[]){
#embed "../../Station/StationPage/app-deliveries.js" suffix(, 0)
 }},
{"StationPage", "app-desk.css", (const char[]){
#embed "../../Station/StationPage/app-desk.css" suffix(, 0)
 }},
{"StationPage", "app-devices.js", (const char[]){
#embed "../../Station/StationPage/app-devices.js" suffix(, 0)
 }},
{"StationPage", "app-feel.js", (const char[]){
#embed "../../Station/StationPage/app-feel.js" suffix(, 0)
 }},
{"StationPage", "app-frames.js", (const char[]){
#embed "../../Station/StationPage/app-frames.js" suffix(, 0)
 }},
{"StationPage", "app-guns.js", (const char[]){
#embed "../../Station/StationPage/app-guns.js" suffix(, 0)
 }},
{"StationPage", "app-history.css", (const char[]){
#embed "../../Station/StationPage/app-history.css" suffix(, 0)
 }},
{"StationPage", "app-history.js", (const char[]){
#embed "../../Station/StationPage/app-history.js" suffix(, 0)
 }},
{"StationPage", "app-install.js", (const char[]){
#embed "../../Station/StationPage/app-install.js" suffix(, 0)
 }},
{"StationPage", "app-keyboard.js", (const char[]){
#embed "../../Station/StationPage/app-keyboard.js" suffix(, 0)
 }},
{"StationPage", "app-latest.css", (const char[]){
#embed "../../Station/StationPage/app-latest.css" suffix(, 0)
 }},
{"StationPage", "app-lists.js", (const char[]){
#embed "../../Station/StationPage/app-lists.js" suffix(, 0)
 }},
{"StationPage", "app-lookup.js", (const char[]){
#embed "../../Station/StationPage/app-lookup.js" suffix(, 0)
 }},
{"StationPage", "app-memory.js", (const char[]){
#embed "../../Station/StationPage/app-memory.js" suffix(, 0)
 }},
{"StationPage", "app-net.js", (const char[]){
#embed "../../Station/StationPage/app-net.js" suffix(, 0)
 }},
{"StationPage", "app-pages.js", (const char[]){
#embed "../../Station/StationPage/app-pages.js" suffix(, 0)
 }},
{"StationPage", "app-phone.js", (const char[]){
#embed "../../Station/StationPage/app-phone.js" suffix(, 0)
 }},
{"StationPage", "app-print.css", (const char[]){
#embed "../../Station/StationPage/app-print.css" suffix(, 0)
 }},
{"StationPage", "app-print.js", (const char[]){
#embed "../../Station/StationPage/app-print.js" suffix(, 0)
 }},
{"StationPage", "app-rows.js", (const char[]){
#embed "../../Station/StationPage/app-rows.js" suffix(, 0)
 }},
{"StationPage", "app-shared.js", (const char[]){
#embed "../../Station/StationPage/app-shared.js" suffix(, 0)
 }},
{"StationPage", "app-sound.js", (const char[]){
#embed "../../Station/StationPage/app-sound.js" suffix(, 0)
 }},
{"StationPage", "app-speech.js", (const char[]){
#embed "../../Station/StationPage/app-speech.js" suffix(, 0)
 }},
{"StationPage", "app-stage.js", (const char[]){
#embed "../../Station/StationPage/app-stage.js" suffix(, 0)
 }},
{"StationPage", "app-storage.js", (const char[]){
#embed "../../Station/StationPage/app-storage.js" suffix(, 0)
 }},
{"StationPage", "app-store.js", (const char[]){
#embed "../../Station/StationPage/app-store.js" suffix(, 0)
 }},
{"StationPage", "app-stream.js", (const char[]){
#embed "../../Station/StationPage/app-stream.js" suffix(, 0)
 }},
{"StationPage", "app-tabs.js", (const char[]){
#embed "../../Station/StationPage/app-tabs.js" suffix(, 0)
 }},
{"StationPage", "app-text.js", (const char[]){
#embed "../../Station/StationPage/app-text.js" suffix(, 0)
 }},
{"StationPage", "app-todo.js", (const char[]){
#embed "../../Station/StationPage/app-todo.js" suffix(, 0)
 }},
{"StationPage", "app-typing.js", (const char[]){
#embed "../../Station/StationPage/app-typing.js" suffix(, 0)
 }},
{"StationPage", "app-upload.js", (const char[]){
#embed "../../Station/StationPage/app-upload.js" suffix(, 0)
 }},
{"StationPage", "app-windows.css", (const char[]){
#embed "../../Station/StationPage/app-windows.css" suffix(, 0)
 }},
{"StationPage", "app-words.js", (const char[]){
#embed "../../Station/StationPage/app-words.js" suffix(, 0)
 }},
{"StationPage", "app-workplace.js", (const char[]){
#embed "../../Station/StationPage/app-workplace.js" suffix(, 0)
 }},
{"StationPage", "app.css", (const char[]){
#embed "../../Station/StationPage/app.css" suffix(, 0)
 }},
{"StationPage", "app.js", (const char[]){
#embed "../../Station/StationPage/app.js" suffix(, 0)
 }},
{"StationPage", "favicon.svg", (const char[]){
#embed "../../Station/StationPage/favicon.svg" suffix(, 0)
 }},
{"StationPage", "index.html", (const char[]){
#embed "../../Station/StationPage/index.html" suffix(, 0)
 }},
{"StationPage", "manifest.webmanifest", (const char[]){
#embed "../../Station/StationPage/manifest.webmanifest" suffix(, 0)
 }},
{"StationPage", "phone.html", (const char[]){
#embed "../../Station/StationPage/phone.html" suffix(, 0)
 }},
{"StationPage", "phone.js", (const char[]){
#embed "../../Station/StationPage/phone.js" suffix(, 0)
 }},
{"StationPage", "service-worker.js", (const char[]){
#embed "../../Station/StationPage/service-worker.js" suffix(, 0)
 }},
{"StationPage", "words-en.js", (const char[]){
#embed "../../Station/StationPage/words-en.js" suffix(, 0)
 }},
{"StationPage", "words-zh.js", (const char[]){
#embed "../../Station/StationPage/words-zh.js" suffix(, 0)
 }},
{"Scripts", "bridge-answers.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-answers.js" suffix(, 0)
 }},
{"Scripts", "bridge-app.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-app.js" suffix(, 0)
 }},
{"Scripts", "bridge-dialects.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-dialects.js" suffix(, 0)
 }},
{"Scripts", "bridge-events.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-events.js" suffix(, 0)
 }},
{"Scripts", "bridge-overlay.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-overlay.js" suffix(, 0)
 }},
{"Scripts", "bridge-requests.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-requests.js" suffix(, 0)
 }},
{"Scripts", "bridge-serving.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-serving.js" suffix(, 0)
 }},
{"Scripts", "bridge-start.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-start.js" suffix(, 0)
 }},
{"Scripts", "bridge-station.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-station.js" suffix(, 0)
 }},
{"Scripts", "bridge-style.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-style.js" suffix(, 0)
 }},
{"Scripts", "bridge-words.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge-words.js" suffix(, 0)
 }},
{"Scripts", "bridge.d.ts", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/bridge.d.ts" suffix(, 0)
 }},
{"Scripts", "detector.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/detector.js" suffix(, 0)
 }},
{"Scripts", "gun.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/gun.js" suffix(, 0)
 }},
{"Scripts", "herald.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/herald.js" suffix(, 0)
 }},
{"Scripts", "hospital.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/hospital.js" suffix(, 0)
 }},
{"Scripts", "promise.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/promise.js" suffix(, 0)
 }},
{"Scripts", "recordapp.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/recordapp.js" suffix(, 0)
 }},
{"Scripts", "wechat.js", (const char[]){
#embed "../../Station/BridgeDialects/Scripts/wechat.js" suffix(, 0)
 }},
{"StationServer", "openapi.json", (const char[]){
#embed "../../Station/StationServer/openapi.json" suffix(, 0)
 }},
{"Keyboard", "KeyboardLayouts.txt", (const char[]){
#embed "../../Capture/ScanDevices/Keyboard/KeyboardLayouts.txt" suffix(, 0)
 }},
{"SettingCodes", "SettingCodes.txt", (const char[]){
#embed "../../Station/StationDevices/SettingCodes/SettingCodes.txt" suffix(, 0)
 }},
