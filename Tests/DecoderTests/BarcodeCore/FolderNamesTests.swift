import BarcodeCore
import Glibc
import TestSupport
import Testing

@Suite struct FolderNamesTests {
    @Test("Names come in the order of their bytes, hidden ones too")
    func names() throws {
        let folder = try TemporaryFolder()
        for name in ["b", "A", ".c", "ä"] { try folder.file(name, []) }
        let names = try FolderNames.all(in: Array(folder.path.utf8))
        #expect(names.map { String(decoding: $0, as: UTF8.self) } == [".c", "A", "b", "ä"])
    }

    @Test("A folder that is not there is an error")
    func missing() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SystemError("opendir", errno: ENOENT)) {
            try FolderNames.all(in: Array(folder["none"].utf8))
        }
    }
}
