import HoldfastTrust

/// The properties that must hold for OCSP answers.
enum OCSPFuzzing {
    static func answer(_ bytes: [UInt8]) throws(BrokenPromise) {
        let answer: OCSPResponse
        do throws(OCSPError) {
            answer = try OCSPResponse(der: bytes)
        } catch {
            try BrokenPromise.unless(!error.reason.isEmpty, "the error has no reason")
            let codes: [OCSPError.Code] = [.tooLarge, .malformed, .notSuccessful]
            try BrokenPromise.unless(codes.contains(error.code), "reading ends with \(error.code)")
            return
        }
        try BrokenPromise.unless(bytes.count <= OCSPResponse.maximumSize, "the answer exceeds its limit")
        try BrokenPromise.unless(again(bytes) == answer, "an answer differs after reading it again")
        // The outer element decides the size, so that no other size can be an answer.
        try BrokenPromise.unless(again(bytes.dropLast()) == nil, "an incomplete answer was read")
        try BrokenPromise.unless(again(bytes + [0]) == nil, "bytes after the answer were ignored")
    }

    private static func again(_ bytes: [UInt8]) -> OCSPResponse? { try? OCSPResponse(der: bytes) }
}
