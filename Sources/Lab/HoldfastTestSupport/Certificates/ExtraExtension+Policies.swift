extension ExtraExtension {
    /// Returns `certificatePolicies` with dotted policy identifiers (RFC 5280, section 4.2.1.4).
    ///
    /// `qualifier` is the dotted type of a qualifier, which every policy then has.
    public static func certificatePolicies(
        _ policies: [String], isCritical: Bool = false, qualifier: String? = nil
    ) -> ExtraExtension {
        let items = policies.map { policy in
            let qualifiers = qualifier.map { type in
                DERBytes.sequence([
                    DERBytes.sequence([
                        DERBytes.objectIdentifier(type), DERBytes.element(0x16, Array("http://cps.example".utf8)),
                    ])
                ])
            }
            return DERBytes.sequence([DERBytes.objectIdentifier(policy), qualifiers ?? []])
        }
        return ExtraExtension("2.5.29.32", isCritical: isCritical, value: DERBytes.sequence(items))
    }

    /// Returns `policyMappings` with pairs of dotted policy identifiers (RFC 5280, section 4.2.1.5).
    public static func policyMappings(
        _ mappings: [(issuerDomain: String, subjectDomain: String)], isCritical: Bool = true
    ) -> ExtraExtension {
        let items = mappings.map {
            DERBytes.sequence([
                DERBytes.objectIdentifier($0.issuerDomain), DERBytes.objectIdentifier($0.subjectDomain),
            ])
        }
        return ExtraExtension("2.5.29.33", isCritical: isCritical, value: DERBytes.sequence(items))
    }

    /// Returns `policyConstraints` (RFC 5280, section 4.2.1.11).
    public static func policyConstraints(
        requireExplicitPolicy: UInt8? = nil, inhibitPolicyMapping: UInt8? = nil, isCritical: Bool = true
    ) -> ExtraExtension {
        let fields = [(UInt8(0), requireExplicitPolicy), (1, inhibitPolicyMapping)].map { number, count in
            count.map { DERBytes.context(number, constructed: false, [$0 & 0x7F]) } ?? []
        }
        return ExtraExtension("2.5.29.36", isCritical: isCritical, value: DERBytes.sequence(fields))
    }

    /// Returns `inhibitAnyPolicy` (RFC 5280, section 4.2.1.14).
    public static func inhibitAnyPolicy(_ skipCertificates: UInt8, isCritical: Bool = true) -> ExtraExtension {
        ExtraExtension(
            "2.5.29.54", isCritical: isCritical, value: DERBytes.unsignedInteger([skipCertificates & 0x7F]))
    }

    /// Returns Microsoft's application policies, which restrict purposes like the extended key usage.
    public static func applicationPolicies(_ usages: [ExtendedUsage], isCritical: Bool = true) -> ExtraExtension {
        let items = usages.map { usage in
            let identifier = usage == .any ? "1.3.6.1.4.1.311.10.12.1" : usage.objectIdentifier
            return DERBytes.sequence([DERBytes.objectIdentifier(identifier)])
        }
        return ExtraExtension("1.3.6.1.4.1.311.21.10", isCritical: isCritical, value: DERBytes.sequence(items))
    }
}
