import HoldfastTestSupport
import HoldfastTrust

/// A change that makes a chain invalid or unusual.
enum ChainChange: String, CaseIterable {
    case leafDates, authorityDates, time, leafSigner, authoritySigner, brokenSignature, outerAlgorithm, weakHash
    case leafPurposes, authorityPurposes, leafUsage, authorityUsage, isNotCA, withoutBasicConstraints, pathLength
    case leafIsCA, nameConstraints, addressConstraints, directoryConstraints, criticalUnknown, unknown
    case wrongHost, wildcard, address, upperCase, withoutNames, commonNameOnly, selfSigned, anchoredLeaf, crossSigned
    case order, version1, serial, keyIdentifiers, emptyName, generalizedTime, corruption, rsa, otherCurve
    case noncritical

    /// Applies the change.
    func apply(to plan: inout ChainPlan, _ world: inout CaseWorld) throws {
        let place = world.number(plan.authorities)
        switch self {
        case .leafDates:
            let (start, end, isStart) = (world.edge(), world.edge(), world.chance(50))
            if isStart { plan.leaf.notBefore = start } else { plan.leaf.notAfter = end }
        case .authorityDates:
            let (time, isStart) = (world.edge(), world.chance(50))
            plan.change(authority: place) { if isStart { $0.notBefore = time } else { $0.notAfter = time } }
        case .time: plan.time = world.now.advanced(bySeconds: Int64(world.pick([-2, -1, 1, 91, 2_000])) * 86_400)
        case .leafSigner: plan.leaf.signingKey = world.keys[7]
        case .authoritySigner: plan.change(authority: place) { $0.signingKey = world.keys[7] }
        case .brokenSignature:
            if world.chance(50) {
                plan.leaf.breaksSignature = true
            } else {
                plan.change(authority: place) { $0.breaksSignature = true }
            }
        case .outerAlgorithm: plan.leaf.outerSignatureHash = .sha384
        case .weakHash:
            if world.chance(50) {
                plan.leaf.signatureHash = .sha1
            } else {
                plan.change(authority: place) { $0.signatureHash = .sha1 }
            }
        case .rsa: plan.leaf.key = try Key.shared(world.pick([.rsa1024, .rsa2048]), "differential")
        case .otherCurve:
            let key = try Key.shared(world.pick([.p384, .p521, .ed25519]), "differential")
            if world.chance(50) { plan.leaf.key = key } else { plan.change(authority: place) { $0.key = key } }
        case .order: plan.order = world.pick(ChainPlan.Order.allCases)
        case .crossSigned: plan.crossSigning = world.pick(ChainPlan.CrossSigning.allCases)
        case .selfSigned:
            plan.isSelfSigned = true
            plan.anchorsLeaf = world.chance(30)
        case .anchoredLeaf:
            plan.anchorsLeaf = true
            plan.anchorsRoot = world.chance(30)
        case .corruption: plan.corrupts = true
        default:
            if !applyNames(to: &plan, place, &world) { applyExtensions(to: &plan, place, &world) }
        }
    }

    private func applyExtensions(to plan: inout ChainPlan, _ place: Int, _ world: inout CaseWorld) {
        let isLeaf = world.chance(50)
        switch self {
        case .leafPurposes:
            plan.leaf.extendedKeyUsages = world.pick([[], [.clientAuth], [.any], [.clientAuth, .serverAuth]])
            if world.chance(20) { plan.leaf.omitting.insert(.extendedKeyUsage) }
        case .authorityPurposes:
            let usages: [ExtendedUsage] = world.pick([[.clientAuth], [.any], [.serverAuth], [.codeSigning]])
            plan.change(authority: place) { $0.extendedKeyUsages = usages }
        case .leafUsage:
            plan.leaf.keyUsage = world.pick([[.keyEncipherment], [.keyAgreement], [.digitalSignature, .keyCertSign]])
            if world.chance(20) { plan.leaf.omitting.insert(.keyUsage) }
        case .authorityUsage:
            let usage: KeyUsages = world.pick([[.digitalSignature], [.crlSign], [.keyCertSign]])
            let omits = world.chance(30)
            plan.change(authority: place) {
                $0.keyUsage = usage
                if omits { $0.omitting.insert(.keyUsage) }
            }
        case .isNotCA: plan.change(authority: place) { $0.isCA = false }
        case .withoutBasicConstraints: plan.change(authority: place) { $0.omitting.insert(.basicConstraints) }
        case .pathLength:
            let length = world.number(0...3)
            plan.change(authority: place) { $0.pathLength = length }
        case .leafIsCA: plan.leaf.isCA = true
        case .criticalUnknown, .unknown:
            let item = ExtraExtension("1.3.6.1.4.1.99999.7", isCritical: self == .criticalUnknown)
            if isLeaf {
                plan.leaf.extraExtensions.append(item)
            } else {
                plan.change(authority: place) { $0.extraExtensions.append(item) }
            }
        case .version1:
            if isLeaf { plan.leaf.version = 1 } else { plan.change(authority: place) { $0.version = 1 } }
        case .keyIdentifiers:
            let kinds: [StandardExtension] = [.subjectKeyIdentifier, .authorityKeyIdentifier]
            let (omitted, isWrong) = (world.pick(kinds), world.chance(50))
            func change(_ options: inout CertificateOptions) {
                if isWrong {
                    options.authorityKeyIdentifier = [1, 2, 3, 4]
                } else {
                    options.omitting.insert(omitted)
                }
            }
            if isLeaf { change(&plan.leaf) } else { plan.change(authority: place, change) }
        case .noncritical:
            let kind: StandardExtension = world.pick([.basicConstraints, .keyUsage, .nameConstraints])
            plan.change(authority: place) { $0.critical.remove(kind) }
        case .serial:
            let serial: [UInt8] = world.pick([[0], [1], [UInt8](repeating: 0x41, count: 21), [0xFF]])
            if isLeaf { plan.leaf.serial = serial } else { plan.change(authority: place) { $0.serial = serial } }
        case .generalizedTime: plan.leaf.usesGeneralizedTime = true
        default: break
        }
    }

    private func applyNames(to plan: inout ChainPlan, _ place: Int, _ world: inout CaseWorld) -> Bool {
        switch self {
        case .wrongHost:
            plan.host = world.pick([
                "other.example.com", "example.com", "a.chat.example.com", "chat.example.com.evil.test",
            ])
        case .wildcard:
            plan.dnsNames = [world.pick(["*.example.com", "*.com", "*", "c*.example.com", "*.chat.example.com"])]
        case .address:
            plan.addresses = ["192.0.2.7", "2001:db8::7"]
            plan.host = world.pick(["192.0.2.7", "192.0.2.8", "2001:db8::7", CaseWorld.host])
        case .upperCase: plan.dnsNames = ["Chat.EXAMPLE.com"]
        case .withoutNames: plan.dnsNames = []
        case .commonNameOnly:
            plan.leaf.commonName = CaseWorld.host
            plan.leaf.omitting.insert(.subjectAlternativeName)
        case .nameConstraints:
            let names = [world.pick(["example.com", "com", CaseWorld.host, "other.test", ".example.com", ""])]
            add(world.chance(50) ? .init(permittedDNSNames: names) : .init(excludedDNSNames: names), &plan, place)
        case .addressConstraints:
            let range: [UInt8] = world.pick([[192, 0, 2, 0, 255, 255, 255, 0], [10, 0, 0, 0, 255, 0, 0, 0]])
            add(world.chance(50) ? .init(permittedIPRanges: [range]) : .init(excludedIPRanges: [range]), &plan, place)
            if world.chance(50) { plan.addresses = ["192.0.2.7"] }
        case .directoryConstraints:
            plan.leaf.organization = "Example"
            let name = CertificateName.der("", world.pick(["Example", "Other"]))
            add(
                world.chance(50) ? .init(permittedDirectoryNames: [name]) : .init(excludedDirectoryNames: [name]),
                &plan, place)
        case .emptyName:
            if world.chance(50) {
                plan.leaf.commonName = ""
            } else {
                plan.change(authority: place) { $0.commonName = "" }
            }
        default: return false
        }
        return true
    }

    private func add(_ constraints: NameConstraintSet, _ plan: inout ChainPlan, _ place: Int) {
        plan.change(authority: place) { $0.nameConstraints = constraints }
    }
}
