import ChatCenterCore
import ChatWire
import Foundation
import GRDB

extension StoreFailure.Kind {
    /// What an error of the database or of the file system comes down to.
    init(_ error: any Error) {
        switch error {
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_FULL: self = .diskFull
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt
            default: self = .other
            }
        case let error as ChatStorageError: self = error.code == .tampered ? .corrupt : .locked
        case is DamagedRow, is JSONError, is WireError, is DecodingError, is RowDecodingError: self = .corrupt
        case let error as CocoaError: self = error.code == .fileWriteOutOfSpace ? .diskFull : .other
        default: self = .other
        }
    }
}
