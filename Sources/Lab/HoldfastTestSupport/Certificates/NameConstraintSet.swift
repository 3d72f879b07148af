/// Name constraints for a CA certificate (RFC 5280, 4.2.1.10).
public struct NameConstraintSet: Hashable, Sendable {
    /// DNS names that are allowed with all below them. A leading dot is written as given.
    public var permittedDNSNames: [String] = []
    /// DNS names that are forbidden with all below them.
    public var excludedDNSNames: [String] = []
    /// Address and mask, 8 or 32 bytes, that are allowed.
    public var permittedIPRanges: [[UInt8]] = []
    /// Address and mask that are forbidden.
    public var excludedIPRanges: [[UInt8]] = []
    /// Distinguished names (DER of a Name) that are allowed with all below them.
    public var permittedDirectoryNames: [[UInt8]] = []
    /// Distinguished names that are forbidden.
    public var excludedDirectoryNames: [[UInt8]] = []

    public init(
        permittedDNSNames: [String] = [], excludedDNSNames: [String] = [], permittedIPRanges: [[UInt8]] = [],
        excludedIPRanges: [[UInt8]] = [], permittedDirectoryNames: [[UInt8]] = [],
        excludedDirectoryNames: [[UInt8]] = []
    ) {
        self.permittedDNSNames = permittedDNSNames
        self.excludedDNSNames = excludedDNSNames
        self.permittedIPRanges = permittedIPRanges
        self.excludedIPRanges = excludedIPRanges
        self.permittedDirectoryNames = permittedDirectoryNames
        self.excludedDirectoryNames = excludedDirectoryNames
    }

    var der: [UInt8] {
        let permitted = Self.subtrees(permittedDNSNames, permittedIPRanges, permittedDirectoryNames)
        let excluded = Self.subtrees(excludedDNSNames, excludedIPRanges, excludedDirectoryNames)
        return DERBytes.sequence([
            permitted.isEmpty ? [] : DERBytes.context(0, constructed: true, permitted),
            excluded.isEmpty ? [] : DERBytes.context(1, constructed: true, excluded),
        ])
    }

    private static func subtrees(_ names: [String], _ ranges: [[UInt8]], _ directories: [[UInt8]]) -> [UInt8] {
        let bases =
            names.map { DERBytes.context(2, constructed: false, Array($0.utf8)) }
            + ranges.map { DERBytes.context(7, constructed: false, $0) }
            + directories.map { DERBytes.context(4, constructed: true, $0) }
        return Array(bases.map { DERBytes.sequence([$0]) }.joined())
    }
}
