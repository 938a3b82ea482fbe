internal import BarcodeCore

/// How far the modules of a symbol that is not flat are from where a homography puts them.
protocol ModuleShifts {
    /// The shift at a place in module coordinates, in modules.
    func shift(_ x: Double, _ y: Double) -> Point
}
