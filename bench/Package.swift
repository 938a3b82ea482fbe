// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses Quietzone builds it. The order of the targets is the order in which a
// figure is made: C, values and statistics, reports, the program that measures.

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "bench",
    dependencies: [
        .package(name: "quietzone", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        // The floor (libjpeg, libpng and libwebp without a line of ours), the peak memory of another process, and the
        // function that callgrind is told to count.
        .target(
            name: "CBench",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp")]),
        .target(
            name: "BenchCore",
            dependencies: [.product(name: "Histogram", package: "hdrhistogram-swift")],
            swiftSettings: swiftSettings),
        .target(name: "BenchReport", dependencies: ["BenchCore"], swiftSettings: swiftSettings),
        .executableTarget(
            name: "bench",
            dependencies: [
                "BenchCore", "BenchReport", "CBench",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "BarcodeDecoding", package: "quietzone"),
                .product(name: "FrameDecoding", package: "quietzone"),
                .product(name: "_QuietzoneParts", package: "quietzone"),
            ],
            swiftSettings: swiftSettings),

        .testTarget(name: "BenchCoreTests", dependencies: ["BenchCore"], swiftSettings: swiftSettings),
        .testTarget(
            name: "BenchReportTests", dependencies: ["BenchCore", "BenchReport"], swiftSettings: swiftSettings),
        // Runs the program that is built, whose path it is told.
        .testTarget(name: "BenchProgramTests", swiftSettings: swiftSettings),
    ]
)
