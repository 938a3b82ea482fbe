internal import BarcodeCore

/// The shifts of a symbol's modules from a homography, on a sheet that is not flat.
protocol ModuleShifts {
    /// Returns the shift at a point, both in modules.
    func shift(_ x: Double, _ y: Double) -> Point
}
