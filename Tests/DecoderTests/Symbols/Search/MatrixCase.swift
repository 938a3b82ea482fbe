import TestSupport
import Testing

@testable import Symbols

/// A matrix symbol to be drawn, and the bytes that it has.
struct MatrixCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var grid: @Sendable () throws -> ModuleGrid
    var bytes: @Sendable () throws -> [UInt8]

    static let all = [
        MatrixCase(testDescription: "Data Matrix, 16 by 16") {
            try DataMatrixPictureTests.symbol(DataMatrixPictureTests.size(16, 16))
        } bytes: {
            try DataMatrixPictureTests.payload(DataMatrixPictureTests.size(16, 16))
        },
        MatrixCase(testDescription: "Data Matrix, 26 by 26") {
            try DataMatrixPictureTests.symbol(DataMatrixPictureTests.size(26, 26))
        } bytes: {
            try DataMatrixPictureTests.payload(DataMatrixPictureTests.size(26, 26))
        },
        MatrixCase(testDescription: "QR Code, version 3") {
            try QRPictureTests.symbol(version: 3)
        } bytes: {
            QRPictureTests.payload(version: 3)
        },
        MatrixCase(testDescription: "Aztec, 4 layers") {
            try AztecPictureTests.symbol(AztecPictureTests.size(4))
        } bytes: {
            AztecPictureTests.payload(AztecPictureTests.size(4))
        },
    ]
}
