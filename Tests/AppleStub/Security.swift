// The signatures of Apple's Security and CoreFoundation frameworks that Holdfast uses, as far as a type checker has to
// know them: `scripts/check-apple.sh` compiles this into a module named Security. Nothing here is ever run. On Apple
// platforms Foundation brings the CoreFoundation names along; here they come with this module.

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

public typealias CFIndex = Int
public typealias CFString = String
public typealias CFData = Data
public typealias CFDate = Date
public typealias CFArray = [AnyObject]
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = Any
public typealias OSStatus = Int32
public final class CFAllocator {}
public final class CFError {}

public func CFErrorGetCode(_ error: CFError!) -> CFIndex { 0 }
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! { nil }

public final class SecTrust {}
public final class SecCertificate {}
public final class SecPolicy {}

public let errSecSuccess: OSStatus = 0
public let errSecDuplicateItem: OSStatus = -25_299
public let errSecItemNotFound: OSStatus = -25_300
public let errSecCreateChainFailed: OSStatus = -25_318
public let errSecHostNameMismatch: OSStatus = -67_602
public let errSecInvalidExtendedKeyUsage: OSStatus = -67_609
public let errSecCertificateExpired: OSStatus = -67_818
public let errSecCertificateNotValidYet: OSStatus = -67_819
public let errSecCertificateRevoked: OSStatus = -67_820
public let errSecNotTrusted: OSStatus = -67_843

public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { Data() }
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy() }
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus { 0 }
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus { 0 }
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus { 0 }
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { 0 }
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus { 0 }
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { false }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
public let kSecValueData: CFString = "v_Data"
public let kSecReturnData: CFString = "r_Data"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitOne: CFString = "m_LimitOne"

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
