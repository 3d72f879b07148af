import Foundation
import HoldfastFuzzing

/// Which reader is fuzzed: `HOLDFAST_FUZZ_TARGET`. libFuzzer keeps the command line to itself.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["HOLDFAST_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        print("HOLDFAST_FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
        exit(2)
    }
    return target
}()

/// Called by libFuzzer with each input. A trap here is what libFuzzer takes for a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
