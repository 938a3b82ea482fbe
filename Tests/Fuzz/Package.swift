// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of Quietzone do not build it. `Tests/Fuzz/run` builds it with the flags for
// libFuzzer; without them it does not link.

let swiftSettings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "quietzone", path: "../..", traits: [])],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "FuzzImageCodecs",
            dependencies: [
                "CFuzzer", .product(name: "_QuietzoneParts", package: "quietzone"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "FuzzReports",
            dependencies: [
                "CFuzzer",
                .product(name: "DecodeWorkers", package: "quietzone"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "FuzzZBarReader",
            dependencies: [
                "CFuzzer", .product(name: "_QuietzoneParts", package: "quietzone"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "FuzzReaders",
            dependencies: [
                "CFuzzer",
                .product(name: "_QuietzoneParts", package: "quietzone"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "FuzzBridgeDialects",
            dependencies: [
                "CFuzzer",
                .product(name: "_QuietzoneParts", package: "quietzone"),
                .product(name: "BridgeDialects", package: "quietzone"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "FuzzSymbolContent",
            dependencies: [
                "CFuzzer",
                .product(name: "SymbolContent", package: "quietzone"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "FuzzScanDevices",
            dependencies: [
                "CFuzzer", .product(name: "_QuietzoneParts", package: "quietzone"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "FuzzFrameStream",
            dependencies: [
                "CFuzzer", .product(name: "FrameDecoding", package: "quietzone"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(name: "FuzzStationServer", dependencies: ["CFuzzer"], swiftSettings: swiftSettings),
    ]
)
