// swift-tools-version: 6.2
import PackageDescription

// The rooms stand in the order of the path that a picture takes: C libraries, the decoder, cameras and scan guns,
// delivery, the station, the programs, then the tests. A target depends only on targets above it, and names exactly the
// modules that it imports; scripts/check-imports enforces both.

// MARK: - Other packages

/// A package of others, and the modules of it that are imported here; each is a product of the same name.
struct Requirement {
    let repository: String
    let version: Version
    let modules: [String]
    var traits: Set<Package.Dependency.Trait> = [.defaults]

    var name: String { String(repository.split(separator: "/")[1]) }
}

/// The benchmark is there only where its scripts ask for it, so that nobody who uses Quietzone fetches or builds it.
let hasBenchmark = Context.environment["QUIETZONE_BENCHMARK"] != nil

let histogram = Requirement(
    repository: "HdrHistogram/hdrhistogram-swift", version: "0.2.0", modules: ["Histogram"])

let requirements =
    [
        Requirement(repository: "apple/swift-argument-parser", version: "1.5.0", modules: ["ArgumentParser"]),
        Requirement(repository: "apple/swift-log", version: "1.6.0", modules: ["Logging"]),
        // No trait: Subprocess is used without Foundation, which would double the start-up time of `decode-image`.
        Requirement(
            repository: "swiftlang/swift-subprocess", version: "1.0.0", modules: ["Subprocess"], traits: []),
        Requirement(repository: "apple/swift-system", version: "1.5.0", modules: ["SystemPackage"]),
    ] + (hasBenchmark ? [histogram] : [])

/// The trait of delivery, the watched folder and the station.
///
/// It is on unless a package that depends on this one says `traits: []`, which leaves the decoder and the cameras and
/// fetches none of the packages of services.
let services = "Services"

/// The packages of services; scripts/check-imports keeps them from decode-image.
///
/// The versions of swift-nio and swift-nio-ssl are those without the vulnerabilities GHSA-r3rc-9hpw-54v9,
/// GHSA-rj37-6j9x-74q6 and GHSA-xfxg-9975-pc2j.
let serviceRequirements = [
    Requirement(repository: "apple/swift-collections", version: "1.3.0", modules: ["DequeModule"]),
    Requirement(repository: "apple/swift-metrics", version: "2.7.0", modules: ["CoreMetrics", "Metrics"]),
    Requirement(repository: "apple/swift-nio", version: "2.100.0", modules: ["NIOCore", "NIOHTTP1", "NIOPosix"]),
    Requirement(repository: "apple/swift-nio-extras", version: "1.24.0", modules: ["NIOHTTPTypes"]),
    Requirement(repository: "apple/swift-nio-ssl", version: "2.37.2", modules: ["NIOSSL"]),
    Requirement(repository: "apple/swift-http-types", version: "1.5.0", modules: ["HTTPTypes"]),
    Requirement(repository: "groue/GRDB.swift", version: "7.10.0", modules: ["GRDB"]),
    // No trait: Foundation is used nowhere here.
    Requirement(
        repository: "hummingbird-project/hummingbird", version: "2.20.0",
        modules: ["Hummingbird", "HummingbirdCore", "HummingbirdTLS"], traits: []),
    Requirement(repository: "jpsim/Yams", version: "6.0.0", modules: ["Yams"]),
    Requirement(repository: "swift-server/async-http-client", version: "1.30.0", modules: ["AsyncHTTPClient"]),
    Requirement(
        repository: "swift-server/swift-service-lifecycle", version: "2.13.0",
        modules: ["ServiceLifecycle", "UnixSignals"]),
]

/// A module as a dependency: a target of this package unless a requirement has it.
func dependency(_ module: String) -> Target.Dependency {
    if let owner = requirements.first(where: { $0.modules.contains(module) }) {
        return .product(name: module, package: owner.name)
    }
    if let owner = serviceRequirements.first(where: { $0.modules.contains(module) }) {
        return .product(name: module, package: owner.name, condition: .when(traits: [services]))
    }
    return .byName(name: module)
}

// MARK: - Kinds of target

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A system library: a module map and a shim header, no logic.
func system(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A C target, and the packages of the headers that it needs, which scripts/install-dependencies reads here.
///
/// It is linked with `libraries`; others are loaded when they are needed.
func cTarget(_ name: String, _ modules: [String] = [], linked libraries: [String] = [], apt: String) -> Target {
    .target(
        name: name, dependencies: modules.map(dependency), linkerSettings: libraries.map { .linkedLibrary($0) })
}

func module(_ name: String, _ modules: [String] = [], exclude: [String] = [], settings: [SwiftSetting] = []) -> Target {
    .target(
        name: name, dependencies: modules.map(dependency), exclude: exclude, swiftSettings: swiftSettings + settings)
}

/// Optimizes loops over pixels for the tests too, which take minutes otherwise.
///
/// A package with such a flag is refused as a dependency of others, so it is there only where a script of this
/// repository asks for it.
let optimized: [SwiftSetting] =
    Context.environment["QUIETZONE_OPTIMIZE_TESTS"] == nil
    ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Writes the compiler's index, in which SwiftPM looks for tests; scripts/build-debug has it written for tests alone.
let indexed: [SwiftSetting] =
    Context.environment["QUIETZONE_TEST_INDEX"].map { [.unsafeFlags(["-index-store-path", $0])] } ?? []

/// A module that computes over pixels.
func pixelModule(_ name: String, _ modules: [String] = []) -> Target {
    module(name, modules, settings: optimized)
}

func program(_ name: String, _ modules: [String], settings: [SwiftSetting] = []) -> Target {
    .executableTarget(name: name, dependencies: modules.map(dependency), swiftSettings: swiftSettings + settings)
}

/// Tests; `runs` are the programs that they start, which are built before them.
func tests(
    _ name: String, _ modules: [String], runs programs: [String] = [], path: String? = nil, exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: (modules + programs).map(dependency), path: path, exclude: exclude,
        swiftSettings: swiftSettings + indexed)
}

// MARK: - Rooms

/// A room: a folder of targets that belong together, each in a folder of its own name.
func room(_ folder: String, _ targets: Target...) -> [Target] {
    for target in targets { target.path = "\(folder)/\(target.name)" }
    return targets
}

/// System libraries, and our own C for calls that Swift cannot make.
let cTargets = room(
    "Sources/System",
    system("CZBar", pkgConfig: "zbar", apt: "libzbar-dev"),
    system("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
    // Writes QR symbols: the link to a station, for a phone.
    system("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
    // Speaks D-Bus: to BlueZ, for scan guns and scales over Bluetooth.
    system("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
    // Expands what tickets and certificates hold.
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    // Hashes and signatures.
    system("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
    // Calls of the kernel and of glibc that Swift cannot import: cameras, input devices, files, memory, the clock, signal
    // handlers; programs that render documents or write frames, with limits, since Swift has no fork; the sandbox of what
    // decodes untrusted pictures, by libseccomp; and a loader of libraries, which loads that one too.
    cTarget("CLinux", apt: "libseccomp-dev"),
    // libjpeg and libpng behind setjmp and longjmp, which Swift cannot import. The codecs of rarer formats are loaded:
    // linked, they would take longer to load than a small picture takes to be read.
    cTarget(
        "CImages", ["CLinux"], linked: ["jpeg", "png"],
        apt: "libgif-dev libheif-dev libjpeg-dev libjxl-dev libopenjp2-7-dev libpng-dev libtiff-dev"),
    // Libraries that few stations need, each loaded by who needs it: clients of an MQTT broker and of PostgreSQL; libzip
    // for the packages of pages, which has another name in each release of a distribution; sd-bus, by which the desktop's
    // portal is asked.
    cTarget("CServices", ["CLinux"], apt: "libmosquitto-dev libpq-dev libsystemd-dev libzip-dev"),
    // libcrypto, loaded when keys are given to check the signatures of messages.
    cTarget("CSignatures", ["CLinux"], apt: "libssl-dev"),
    // Text files inside the programs: pages, scripts, tables.
    .target(name: "CEmbeddedFiles")
)

/// From the bytes of a picture to symbols, their content and a report.
let decoder = room(
    "Sources/Decoder",
    pixelModule("BarcodeCore"),
    pixelModule("ImageCodecs", ["BarcodeCore", "CImages", "CLinux", "CWebP"]),
    // A folder per symbology, with how it is found, read and searched for; the search through a picture; its text.
    pixelModule("Symbols", ["BarcodeCore", "CZBar"]),
    pixelModule("BarcodeDecoding", ["BarcodeCore", "ImageCodecs", "Symbols"]),
    // What a message says, as named fields; it knows nothing of pictures.
    module("SymbolContent", ["BarcodeCore", "CSignatures", "CZlib"]),
    // What is said of a picture, and its JSON.
    module("DecodeReports", ["BarcodeCore", "SymbolContent"]),
    module(
        "DecodeWorkers",
        [
            "BarcodeCore", "BarcodeDecoding", "CLinux", "DecodeReports", "ImageCodecs", "Logging",
            "Subprocess", "SymbolContent", "SystemPackage",
        ])
)

/// The decoder for other languages: a C header, and the functions behind it.
let interfaces = room(
    "Sources/Interfaces",
    // The header, a module so that the functions use its types and constants.
    .systemLibrary(name: "CQuietzone"),
    // Makes libquietzone, see scripts/build-c-library.
    module(
        "CInterface",
        [
            "BarcodeCore", "CQuietzone", "DecodeReports", "DecodeWorkers", "ImageCodecs", "SymbolContent", "Logging",
            "SystemPackage",
        ])
)

/// Cameras, scan guns, scales and the desktop: the other sources of scans.
let capture = room(
    "Sources/Capture",
    // What cameras, scan guns and scales have in common: device files, and that one has come.
    module("DeviceAccess", ["BarcodeCore", "CLinux"]),
    // The frames of a camera, and the codes in consecutive frames.
    module("VideoCapture", ["BarcodeCore", "CLinux", "DeviceAccess", "ImageCodecs"]),
    module("FrameDecoding", ["BarcodeCore", "BarcodeDecoding", "DecodeWorkers", "VideoCapture"]),
    // What scan guns and scales send, and the other way around a keyboard that types what was scanned; it knows nothing
    // of pictures either.
    module(
        "ScanDevices", ["CEmbeddedFiles", "CLinux", "CSystemd", "DeviceAccess"],
        exclude: ["Keyboard/KeyboardLayouts.txt"])
)

/// Events, the outbox, destinations, and the watched folder.
let delivery = room(
    "Sources/Delivery",
    // SHA-256, HMAC and Ed25519 by the system's libcrypto.
    module("Cryptography", ["CCrypto"]),
    // Scans as events, and the formats in which they are sent.
    module("ScanEvents", ["BarcodeCore", "DecodeReports", "SymbolContent"]),
    // Events on disk, before they are reported anywhere. The module does not have the name of its type `Outbox`: `Outbox.X`
    // would be ambiguous.
    module("ScanOutbox", ["BarcodeCore", "ScanEvents", "SymbolContent", "GRDB", "Metrics"]),
    // Delivers events to their destinations.
    module(
        "Delivery",
        [
            "BarcodeCore", "CServices", "ScanDevices", "ScanEvents", "ScanOutbox", "SymbolContent",
            "AsyncHTTPClient", "Cryptography", "DequeModule", "Logging", "Metrics", "NIOCore", "NIOHTTP1", "NIOPosix",
            "NIOSSL", "ServiceLifecycle", "Subprocess", "SystemPackage", "Yams",
        ]),
    // Watches a folder for pictures.
    module(
        "DropFolder",
        [
            "BarcodeCore", "CLinux", "DecodeReports", "DecodeWorkers", "Delivery", "ScanEvents",
            "ScanOutbox", "SymbolContent", "Cryptography", "DequeModule", "GRDB", "Logging", "Metrics",
            "ServiceLifecycle", "Subprocess", "SystemPackage",
        ])
)

/// The scanning station: its camera and devices, its server and page, its apps.
let station = room(
    "Sources/Station",
    // The camera, scan guns and scales for the lifetime of a station: previews and new codes, the state of each, the weight
    // on a scale, and what scan guns must read to be set.
    module(
        "StationDevices",
        [
            "BarcodeCore", "CEmbeddedFiles", "Delivery", "FrameDecoding", "ImageCodecs", "ScanDevices", "ScanEvents",
            "Symbols", "VideoCapture", "Logging", "ServiceLifecycle",
        ],
        exclude: ["SettingCodes/SettingCodes.txt"]),
    // Pages that live on the station: their packages, versions and updates; it knows nothing of the server.
    module("StationApps", ["CLinux", "CServices", "Cryptography"]),
    // How web pages ask for a scan and how they are answered, without a server.
    module("BridgeDialects", ["BarcodeCore", "CEmbeddedFiles"], exclude: ["Scripts"]),
    module(
        "StationServer",
        [
            "BarcodeCore", "BridgeDialects", "CEmbeddedFiles", "DecodeReports", "DecodeWorkers", "Delivery",
            "ImageCodecs", "ScanDevices", "ScanEvents", "ScanOutbox", "StationApps", "StationDevices", "SymbolContent",
            "VideoCapture", "Cryptography", "GRDB", "HTTPTypes",
            "Hummingbird", "HummingbirdCore", "HummingbirdTLS", "Logging", "Metrics", "NIOCore", "NIOHTTP1",
            "NIOHTTPTypes", "NIOPosix", "NIOSSL", "ServiceLifecycle",
        ],
        exclude: ["openapi.json"])
)

/// The programs, and the code that they share.
let programs = room(
    "Sources/Programs",
    // What the programs share: arguments, the worker mode, what is written to a terminal, and the user's desktop with its
    // clipboard, screen and notifications.
    module(
        "ProgramSupport",
        [
            "BarcodeCore", "CLinux", "CServices", "DecodeReports", "DecodeWorkers", "ArgumentParser", "Logging",
            "Subprocess", "SystemPackage",
        ]),
    program(
        "decode-image",
        [
            "BarcodeCore", "BarcodeDecoding", "CLinux", "DecodeReports", "DecodeWorkers", "ImageCodecs",
            "ProgramSupport", "SymbolContent", "Symbols", "ArgumentParser", "Logging",
        ]),
    program(
        "decode-camera",
        [
            "BarcodeCore", "DecodeReports", "DecodeWorkers", "FrameDecoding", "ImageCodecs",
            "ProgramSupport", "VideoCapture", "ArgumentParser", "Logging",
        ]),
    // The programs that serve, a folder each: scan-devices, scan-outbox, scan-station and watch-folder are names of this
    // one file. Services has what those that run for months share: the outbox by its options, systemd, metrics.
    program(
        "quietzone-server",
        [
            "BarcodeCore", "BarcodeDecoding", "CLinux", "CQREncode", "DecodeReports", "DecodeWorkers", "Delivery",
            "DropFolder", "FrameDecoding", "ImageCodecs", "ProgramSupport", "ScanDevices", "ScanEvents", "ScanOutbox",
            "StationApps", "StationDevices", "StationServer", "VideoCapture", "ArgumentParser", "AsyncHTTPClient",
            "CoreMetrics",
            "Logging", "Metrics", "NIOCore", "NIOHTTP1", "ServiceLifecycle", "SystemPackage", "UnixSignals",
        ])
)

/// Help for several test targets.
let support = room(
    "Tests/Support",
    // What several tests need: symbols and pictures that are drawn, random numbers with a seed, programs that are run
    // as a shell runs them, a camera that plays frames and faults, events and outboxes.
    module(
        "TestSupport", ["BarcodeCore", "CLinux", "ScanEvents", "ScanOutbox", "Symbols", "VideoCapture"],
        exclude: ["Programs/attempts.c", "Programs/preload.c"], settings: optimized)
)

/// Trials and measurements of optimized code: `make test-slow`, `make limits`, `make bench-dispatch`.
let trials = room(
    "Tests/Trials",
    program(
        "optimized-trials",
        [
            "BarcodeCore", "BarcodeDecoding", "Delivery", "FrameDecoding", "ImageCodecs", "ScanEvents", "ScanOutbox",
            "StationDevices", "Symbols", "TestSupport", "VideoCapture", "ArgumentParser", "AsyncHTTPClient",
            "Logging", "NIOCore", "NIOHTTP1", "NIOPosix",
        ])
)

/// One test target a room: each costs the compiler and the linker seconds, however small it is.
let testTargets = room(
    "Tests",
    tests(
        "DecoderTests",
        [
            "BarcodeCore", "BarcodeDecoding", "DecodeReports", "DecodeWorkers", "ImageCodecs", "SymbolContent",
            "Symbols", "TestSupport", "Logging",
            "SystemPackage",
        ],
        exclude: [
            "ImageCodecs/Fixtures", "SymbolContent/Fixtures", "Symbols/Fixtures",
        ]),
    tests(
        "CaptureTests",
        [
            "BarcodeCore", "CLinux", "CSystemd", "DecodeWorkers", "DeviceAccess", "FrameDecoding", "ImageCodecs",
            "ScanDevices", "TestSupport", "VideoCapture", "Logging", "SystemPackage",
        ]),
    tests(
        "DeliveryTests",
        [
            "BarcodeCore", "BarcodeDecoding", "Cryptography", "DecodeReports", "DecodeWorkers", "Delivery",
            "DropFolder", "ImageCodecs", "ScanDevices",
            "ScanEvents", "ScanOutbox", "SymbolContent", "TestSupport", "GRDB",
            "Logging", "SystemPackage",
        ],
        exclude: ["ScanOutbox/Fixtures"]),
    tests(
        "StationTests",
        [
            "BarcodeCore", "BridgeDialects", "StationServer", "CCrypto", "Cryptography",
            "DecodeReports", "DecodeWorkers", "Delivery", "FrameDecoding", "ImageCodecs",
            "ScanDevices", "ScanEvents", "ScanOutbox", "StationApps", "StationDevices", "SymbolContent", "TestSupport",
            "VideoCapture", "HTTPTypes", "Hummingbird", "Logging", "NIOCore",
            "ServiceLifecycle",
        ]),
    // With what the pages of the documentation show, in files of their own.
    tests(
        "ProgramTests",
        [
            "BarcodeCore", "BarcodeDecoding", "BridgeDialects", "DecodeWorkers", "Delivery", "FrameDecoding",
            "ImageCodecs", "ScanEvents", "ScanOutbox", "StationDevices", "SymbolContent", "Symbols", "TestSupport",
            "quietzone-server", "AsyncHTTPClient", "CoreMetrics", "Logging", "NIOCore", "NIOHTTP1", "SystemPackage",
        ],
        runs: ["decode-camera", "decode-image"],
        exclude: [
            "OutboxProgram/Support/make-certificates", "OutboxProgram/Support/receiver.py",
            "StationProgram/Support/check_openapi.py",
        ])
)

/// The benchmark, see bench/README.md.
let benchmark = room(
    "bench/Sources",
    // The floor (libjpeg, libpng and libwebp without a line of ours), the peak memory of another process, and the
    // function that callgrind is told to count.
    .target(name: "CBench", linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp")]),
    program(
        "bench",
        [
            "BarcodeCore", "BarcodeDecoding", "CBench", "FrameDecoding", "ImageCodecs", "Symbols",
            "ArgumentParser", "Histogram",
        ],
        settings: optimized)
)

/// Tests of the benchmark; they run the program as it is built to measure.
let benchmarkTests = tests("BenchTests", ["TestSupport", "bench"], path: "bench/Tests")

// MARK: - The package

/// The products that others build upon, each with a documentation catalog; nothing else has a stable interface.
let products: [(name: String, modules: [String])] = [
    ("BarcodeDecoding", ["BarcodeDecoding"]),
    ("DecodeWorkers", ["DecodeReports", "DecodeWorkers"]),
    ("FrameDecoding", ["VideoCapture", "FrameDecoding"]),
    ("SymbolContent", ["SymbolContent"]),
    ("BridgeDialects", ["BridgeDialects"]),
    ("ScanDelivery", ["ScanEvents", "ScanOutbox", "Delivery"]),
    // For Tests/Fuzz, a package of its own: parts of the decoder and of devices, which may change any day.
    (
        "_QuietzoneParts",
        [
            "BarcodeCore", "ImageCodecs", "Symbols", "ScanDevices",
        ]
    ),
]

let rooms = [cTargets, decoder, interfaces, capture, delivery, station, programs, support, trials, testTargets]

let package = Package(
    name: "quietzone",
    products: products.map { .library(name: $0.name, targets: $0.modules) }
        + [.library(name: "quietzone", type: .static, targets: ["CInterface"])]
        + programs.filter { $0.type == .executable }.map { .executable(name: $0.name, targets: [$0.name]) },
    traits: [
        .trait(name: services, description: "Delivery, the watched folder and the station."),
        .default(enabledTraits: [services]),
    ],
    dependencies: (requirements + serviceRequirements).map {
        .package(url: "https://github.com/\($0.repository)", from: $0.version, traits: $0.traits)
    },
    targets: Array(rooms.joined()) + (hasBenchmark ? benchmark + [benchmarkTests] : [])
)
