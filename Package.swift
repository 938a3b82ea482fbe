// swift-tools-version: 6.2
import PackageDescription

// The order of the targets is the order of the path that a picture takes: C libraries, values, codecs, readers,
// the decoder, the worker processes, the program. Every arrow points back up this list.

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "quietzone",
    products: [
        .library(name: "BarcodeDecoding", targets: ["BarcodeDecoding"]),
        .library(name: "BarcodeCore", targets: ["BarcodeCore"]),
        .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
        .library(name: "ZBarReader", targets: ["ZBarReader"]),
        .library(name: "DecodeWorkers", targets: ["DecodeWorkers"]),
        .library(name: "MatrixReader", targets: ["MatrixReader"]),
        .library(name: "EANReader", targets: ["EANReader"]),
        .library(name: "LinearReader", targets: ["LinearReader"]),
        .library(name: "SymbolLocator", targets: ["SymbolLocator"]),
        .library(name: "VideoCapture", targets: ["VideoCapture"]),
        .library(name: "FrameDecoding", targets: ["FrameDecoding"]),
        .executable(name: "decode-image", targets: ["decode-image"]),
        .library(name: "ResultDispatch", targets: ["ResultDispatch"]),
        .executable(name: "scan-outbox", targets: ["scan-outbox"]),
        .executable(name: "decode-camera", targets: ["decode-camera"]),
        .library(name: "DropFolder", targets: ["DropFolder"]),
        .executable(name: "watch-folder", targets: ["watch-folder"]),
        .library(name: "StationCamera", targets: ["StationCamera"]),
        .library(name: "BridgeDialects", targets: ["BridgeDialects"]),
        .library(name: "BrowserBridge", targets: ["BrowserBridge"]),
        .executable(name: "scan-station", targets: ["scan-station"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        // No trait: Subprocess is used without Foundation, which would double the start-up time of `decode-image`.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        // For what dispatches and serves; scripts/check-imports keeps them from decode-image.
        .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.24.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // No trait: Foundation is used nowhere here.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        // C libraries: a module map and a shim header each, no logic.
        .systemLibrary(name: "CZBar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        // Writes QR symbols: the link to a station, for a phone.
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        // What Swift cannot import: setjmp and longjmp around libjpeg and libpng.
        .target(name: "CJPEGShim", dependencies: ["CJPEG"]),
        .target(name: "CPNGShim", dependencies: ["CPNG"]),
        // What a process says in a signal handler, where no Swift may run.
        .target(name: "CCrashGuard"),
        // The requests of the kernel's V4L2 interface, which are macros.
        .target(name: "CV4L2"),
        // Calls on files that are declared for _GNU_SOURCE alone.
        .target(name: "CFolder"),

        .target(name: "BarcodeCore", swiftSettings: swiftSettings),
        .target(
            name: "ImageCodecs",
            dependencies: ["BarcodeCore", "CJPEGShim", "CPNGShim", "CWebP"],
            swiftSettings: swiftSettings),
        .target(name: "ZBarReader", dependencies: ["BarcodeCore", "CZBar"], swiftSettings: swiftSettings),
        .target(name: "MatrixReader", dependencies: ["BarcodeCore"], swiftSettings: swiftSettings),
        .target(name: "EANReader", dependencies: ["BarcodeCore"], swiftSettings: swiftSettings),
        .target(name: "LinearReader", dependencies: ["BarcodeCore"], swiftSettings: swiftSettings),
        .target(name: "SymbolLocator", dependencies: ["BarcodeCore"], swiftSettings: swiftSettings),
        .target(
            name: "BarcodeDecoding",
            dependencies: [
                "BarcodeCore", "ImageCodecs", "SymbolLocator", "ZBarReader", "MatrixReader", "EANReader",
                "LinearReader",
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "DecodeWorkers",
            dependencies: [
                "BarcodeCore", "BarcodeDecoding", "ImageCodecs",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: swiftSettings),
        // Every program that decodes in workers is its own worker.
        .target(
            name: "WorkerProgram",
            dependencies: [
                "BarcodeCore", "DecodeWorkers",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: swiftSettings),
        // What the command lines of all programs share.
        .target(
            name: "ProgramArguments",
            dependencies: [
                "BarcodeCore", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "decode-image",
            dependencies: [
                "BarcodeDecoding", "CCrashGuard", "DecodeWorkers", "ImageCodecs", "ProgramArguments", "WorkerProgram",
                "ZBarReader",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "ResultDispatch",
            dependencies: [
                "BarcodeCore",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: swiftSettings),
        // How every program with an outbox names it, and ends when it cannot have it.
        .target(
            name: "OutboxProgram",
            dependencies: [
                "BarcodeCore", "PrometheusMetrics", "ProgramArguments", "ResultDispatch",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "scan-outbox",
            dependencies: [
                "BarcodeCore", "DecodeWorkers", "OutboxProgram", "ProgramArguments", "ResultDispatch",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),

        .target(
            name: "DropFolder",
            dependencies: [
                "BarcodeCore", "BarcodeDecoding", "CFolder", "DecodeWorkers", "ResultDispatch",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: swiftSettings),
        // What a program tells systemd of itself.
        .target(name: "ServiceNotification", swiftSettings: swiftSettings),
        .executableTarget(
            name: "watch-folder",
            dependencies: [
                "BarcodeCore", "BarcodeDecoding", "DecodeWorkers", "DropFolder", "OutboxProgram", "ProgramArguments",
                "ResultDispatch", "ServiceNotification", "WorkerProgram",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),

        .target(
            name: "VideoCapture", dependencies: ["BarcodeCore", "CV4L2", "ImageCodecs"], swiftSettings: swiftSettings),
        .target(
            name: "FrameDecoding", dependencies: ["BarcodeCore", "BarcodeDecoding", "VideoCapture"],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "decode-camera",
            dependencies: [
                "BarcodeCore", "BarcodeDecoding", "DecodeWorkers", "FrameDecoding", "ImageCodecs", "ProgramArguments",
                "VideoCapture",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings),

        // A camera that is always there for a page: preview, controls, what it reads.
        .target(
            name: "StationCamera",
            dependencies: [
                "BarcodeCore", "BarcodeDecoding", "FrameDecoding", "ImageCodecs", "VideoCapture",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),
        // How web pages ask for a scan and how they are answered, without a server.
        .target(name: "BridgeDialects", dependencies: ["BarcodeCore"], swiftSettings: swiftSettings),
        // What swift-metrics is told, in the text format of Prometheus.
        .target(
            name: "PrometheusMetrics", dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: swiftSettings),
        .target(
            name: "BrowserBridge",
            dependencies: [
                "BarcodeCore", "BarcodeDecoding", "BridgeDialects", "DecodeWorkers", "ResultDispatch", "StationCamera",
                "VideoCapture",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // Inside the program, which is one file wherever it goes.
            resources: [.embedInCode("Assets")],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "scan-station",
            dependencies: [
                "BarcodeCore", "BarcodeDecoding", "BrowserBridge", "CQREncode", "DecodeWorkers", "FrameDecoding",
                "OutboxProgram", "ProgramArguments", "PrometheusMetrics", "ResultDispatch", "ServiceNotification",
                "StationCamera", "VideoCapture", "WorkerProgram",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),

        // What several tests need: random numbers with a seed, encoders, a renderer of symbols, pictures without one.
        .target(
            name: "SymbolRendering", dependencies: ["BarcodeCore", "MatrixReader"], path: "Tests/TestSupport",
            swiftSettings: swiftSettings),
        // The trials that need optimised code: `make test-slow` and `make limits`.
        .executableTarget(
            name: "decoding-trials", dependencies: ["BarcodeCore", "BarcodeDecoding", "SymbolRendering", "ZBarReader"],
            path: "Tests/Trials", swiftSettings: swiftSettings),
        .testTarget(name: "BarcodeCoreTests", dependencies: ["BarcodeCore"], swiftSettings: swiftSettings),
        .testTarget(
            name: "ImageCodecsTests", dependencies: ["BarcodeCore", "ImageCodecs", "SymbolRendering"],
            exclude: ["Fixtures"], swiftSettings: swiftSettings),
        .testTarget(
            name: "ZBarReaderTests", dependencies: ["BarcodeCore", "ImageCodecs", "ZBarReader"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "MatrixReaderTests",
            dependencies: ["BarcodeCore", "ImageCodecs", "MatrixReader", "SymbolLocator", "SymbolRendering"],
            exclude: ["Fixtures"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SymbolLocatorTests", dependencies: ["BarcodeCore", "SymbolLocator", "SymbolRendering"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "EANReaderTests", dependencies: ["BarcodeCore", "EANReader", "SymbolRendering"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "LinearReaderTests", dependencies: ["BarcodeCore", "LinearReader", "SymbolRendering"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "BarcodeDecodingTests",
            dependencies: ["BarcodeCore", "ImageCodecs", "BarcodeDecoding", "SymbolRendering", "ZBarReader"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "DecodeWorkersTests",
            dependencies: [
                "BarcodeCore", "BarcodeDecoding", "DecodeWorkers", "SymbolRendering",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: swiftSettings),
        // A camera at the level of the system calls, which plays frames and faults.
        .target(
            name: "CameraSupport", dependencies: ["CV4L2", "VideoCapture"], path: "Tests/CameraSupport",
            swiftSettings: swiftSettings),
        // What capturing costs, which needs optimised code: `make test-slow`.
        .executableTarget(
            name: "camera-trials",
            dependencies: [
                "BarcodeCore", "CameraSupport", "FrameDecoding", "ImageCodecs", "StationCamera", "VideoCapture",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/CameraTrials", swiftSettings: swiftSettings),
        .testTarget(
            name: "VideoCaptureTests",
            dependencies: ["BarcodeCore", "CameraSupport", "ImageCodecs", "SymbolRendering", "VideoCapture"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "FrameDecodingTests",
            dependencies: ["BarcodeCore", "BarcodeDecoding", "CameraSupport", "FrameDecoding", "VideoCapture"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ResultDispatchTests",
            dependencies: [
                "BarcodeCore", "ResultDispatch", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        // `make bench-dispatch`; not run by the tests.
        .executableTarget(
            name: "dispatch-benchmark",
            dependencies: [
                "BarcodeCore", "ResultDispatch",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/DispatchBenchmark", swiftSettings: swiftSettings),
        // Programs that are run as a shell runs them, and folders for them.
        .target(
            name: "ProgramSupport", path: "Tests/ProgramSupport", exclude: ["preload.c"], swiftSettings: swiftSettings),
        .testTarget(
            name: "OutboxProgramTests", dependencies: ["ProgramSupport", "SymbolRendering", "scan-outbox"],
            exclude: ["Support/receiver.py", "Support/make-certificates"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "DropFolderTests",
            dependencies: [
                "BarcodeCore", "DecodeWorkers", "DropFolder", "ResultDispatch", "ServiceNotification",
                "SymbolRendering",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "WatchProgramTests",
            dependencies: ["ImageCodecs", "ProgramSupport", "MatrixReader", "SymbolRendering", "watch-folder"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StationCameraTests",
            dependencies: [
                "BarcodeCore", "BarcodeDecoding", "CameraSupport", "FrameDecoding", "ImageCodecs", "StationCamera",
                "SymbolRendering", "VideoCapture", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "BridgeDialectsTests", dependencies: ["BarcodeCore", "BridgeDialects"], swiftSettings: swiftSettings),
        .testTarget(
            name: "PrometheusMetricsTests",
            dependencies: ["PrometheusMetrics", .product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "BrowserBridgeTests",
            dependencies: [
                "BarcodeCore", "BridgeDialects", "BrowserBridge", "DecodeWorkers", "ResultDispatch", "StationCamera",
                "SymbolRendering",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StationProgramTests",
            dependencies: [
                "BarcodeCore", "ProgramSupport", "MatrixReader", "SymbolRendering", "scan-station",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            exclude: ["Support/check_openapi.py"], swiftSettings: swiftSettings),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "BarcodeCore", "ImageCodecs", "ProgramSupport", "MatrixReader", "SymbolRendering", "decode-camera",
                "decode-image",
            ],
            swiftSettings: swiftSettings),
    ]
)
