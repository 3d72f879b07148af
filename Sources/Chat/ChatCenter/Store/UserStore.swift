package import ChatCenterCore
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The store of one user as the driver opens it, for what looks at a store without a driver: `ChatCenterTestSupport`.
package enum UserStore {
    /// Makes the store in the folder that an SDK with the same `storageDirectory`, provider and marker takes for the
    /// user. Opens nothing before it is used.
    package static func make(
        root: URL, providerUID: String, appMarker: String? = nil, clientID: String
    ) -> any ChatStore {
        SQLiteChatStore(
            folder: UserFolder(root: root, providerUID: providerUID, appMarker: appMarker, clientID: clientID),
            errors: ErrorTable())
    }
}
