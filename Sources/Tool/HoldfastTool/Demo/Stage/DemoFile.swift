/// The file that goes up and down: as large as a photo, and never two kilobytes the same.
enum DemoFile {
    /// Its name.
    static let name = "holdfast-demo.bin"

    /// Its bytes: 3 MiB of a simple generator's output (Knuth's MMIX constants), the same at every run.
    static let bytes: [UInt8] = {
        var state: UInt64 = 2_026
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 << 20)
        while bytes.count < 3 << 20 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }()
}
