import BrowserBridge
import CQREncode
import WorkerProgram

@main
enum Main {
    static func main() {
        WorkerMode.runIfAsked(Array(CommandLine.arguments.dropFirst()))
    }
}
