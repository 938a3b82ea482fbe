import FrameDecoding

func inAProgram() async throws {
    let camera = try Camera(request: CaptureRequest(size: PixelSize(width: 1920, height: 1080)))
    let decoder = LiveDecoder(FrameDecoder())
    for await frame in camera.frames {  // holds the newest frame only
        for symbol in try await decoder.decode(frame).reading.newSymbols { print(symbol.symbology, symbol.text) }
    }
}
