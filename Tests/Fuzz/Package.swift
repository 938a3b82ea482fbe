// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses Quietzone builds it. `Tests/Fuzz/run` builds and runs the targets.

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    // libFuzzer brings `main` and calls LLVMFuzzerTestOneInput.
    .unsafeFlags(["-parse-as-library", "-sanitize=fuzzer,address"]),
]
// ld.gold, the default, cannot export what the sanitizer's archive declares and says so in thousands of lines.
let linkerSettings: [LinkerSetting] = [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]

let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "quietzone", path: "../..")],
    targets: [
        .executableTarget(
            name: "FuzzImageCodecs",
            dependencies: [
                .product(name: "BarcodeCore", package: "quietzone"),
                .product(name: "ImageCodecs", package: "quietzone"),
            ],
            swiftSettings: swiftSettings, linkerSettings: linkerSettings),
        .executableTarget(
            name: "FuzzZBarReader",
            dependencies: [
                .product(name: "BarcodeCore", package: "quietzone"),
                .product(name: "ZBarReader", package: "quietzone"),
            ],
            swiftSettings: swiftSettings, linkerSettings: linkerSettings),
    ]
)
