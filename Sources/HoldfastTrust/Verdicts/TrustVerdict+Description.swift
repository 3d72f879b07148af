extension TrustVerdict: CustomStringConvertible {
    public var description: String { "\(decision.rawValue): \(finding)" }
}
