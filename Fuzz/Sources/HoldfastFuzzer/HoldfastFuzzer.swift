import Foundation
import HoldfastFuzzing

/// The fuzz target in `HOLDFAST_FUZZ_TARGET`. libFuzzer reserves the command line for itself.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["HOLDFAST_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        print("HOLDFAST_FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
        exit(2)
    }
    return target
}()

/// Runs the target. libFuzzer calls this function with each input and reports a trap as a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
