#!/usr/bin/env python3
"""A file system in memory whose power can fail: what was not synced is lost then, or a part of it.

    forgetful.py FOLDER

mounts it there, and runs until it is unmounted. Each folder at its top is a disk of its own. `cut DISK SEED WAY`
written to the file `power` at the top fails the power of one:

    nothing    nothing is left but what was synced
    torn       the first of the later writes are left, the last of them torn
    zeros      the same, and where the file had already grown there are zeros
    holes      any of the pages that were written later are left, and zeros where the others were

`room BYTES` written there leaves room for so many more bytes on all disks, and -1 for any number.

A name in a folder is sure when the folder has been synced, as POSIX has it; without that it is kept by chance. Nothing is
cached by the kernel but SQLite's files of shared memory (-shm), which programs map and no loss of power spares. Needs pyfuse3.
"""

import errno
import os
import random
import stat
import sys

import pyfuse3
import trio

PAGE = 4096
TOP = pyfuse3.ROOT_INODE


class File:
    def __init__(self, mode, name=b""):
        self.mode = mode
        self.is_mapped = name.endswith(b"-shm")
        self.data = bytearray()
        self.sure = b""
        # What has been done since the last sync: (offset, bytes) for a write, (length, None) for a cut.
        self.later = []

    def write(self, offset, data):
        self.later.append((offset, bytes(data)))
        apply(self.data, offset, data)

    def truncate(self, length):
        self.later.append((length, None))
        apply(self.data, length, None)

    def sync(self):
        self.sure = bytes(self.data)
        self.later = []

    def cut(self, dice, way):
        left = bytearray(self.sure)
        if way in ("torn", "zeros"):
            kept = dice.randint(0, len(self.later))
            for offset, data in self.later[:kept]:
                apply(left, offset, data)
            if kept < len(self.later) and self.later[kept][1] is not None:
                offset, data = self.later[kept]
                apply(left, offset, data[: dice.randint(0, len(data))])
        if way == "zeros":
            left.extend(bytes(max(0, len(self.data) - len(left))))
        if way == "holes":
            for offset, data in self.later:
                if data is None:
                    apply(left, offset, None)
                    continue
                end = offset + len(data)
                left.extend(bytes(max(0, end - len(left))))
                at = offset
                while at < end:
                    after = min(end, (at // PAGE + 1) * PAGE)
                    if dice.random() < 0.5:
                        left[at:after] = data[at - offset : after - offset]
                    at = after
        self.data = left
        self.sync()


class Folder:
    def __init__(self, mode):
        self.mode = mode
        self.names = {}
        self.sure = {}

    def sync(self):
        self.sure = dict(self.names)


def apply(data, offset, written):
    if written is None:
        del data[offset:]
    elif len(data) < offset:
        data.extend(bytes(offset - len(data)))
        data.extend(written)
    else:
        data[offset : offset + len(written)] = written
        return
    if written is None and len(data) < offset:
        data.extend(bytes(offset - len(data)))


class Forgetful(pyfuse3.Operations):
    def __init__(self):
        super().__init__()
        self.nodes = {TOP: Folder(stat.S_IFDIR | 0o700)}
        self.next = TOP + 1
        self.room = -1
        power = self.add(File(stat.S_IFREG | 0o600))
        self.nodes[TOP].names[b"power"] = power

    def add(self, node):
        inode = self.next
        self.next += 1
        self.nodes[inode] = node
        return inode

    def cut(self, disk, seed, way):
        dice = random.Random(seed)

        def fail(node):
            if isinstance(node, File):
                node.cut(dice, way)
                return
            left = dict(node.sure)
            if way != "nothing":
                for name in set(node.names) | set(node.sure):
                    if node.names.get(name) != node.sure.get(name) and dice.random() < 0.5:
                        left.pop(name, None)
                        if name in node.names:
                            left[name] = node.names[name]
            node.names = left
            node.sync()
            for inode in left.values():
                fail(self.nodes[inode])

        fail(self.nodes[self.nodes[TOP].names[disk.encode()]])

    def attributes(self, inode):
        node = self.nodes[inode]
        entry = pyfuse3.EntryAttributes()
        entry.st_ino = inode
        entry.st_mode = node.mode
        entry.st_nlink = 1
        entry.st_uid, entry.st_gid = os.getuid(), os.getgid()
        entry.st_size = len(node.data) if isinstance(node, File) else 0
        entry.st_blksize = PAGE
        entry.attr_timeout = entry.entry_timeout = 0
        return entry

    def child(self, parent, name):
        inode = self.nodes[parent].names.get(name)
        if inode is None:
            raise pyfuse3.FUSEError(errno.ENOENT)
        return inode

    async def lookup(self, parent, name, ctx=None):
        if name == b".":
            return self.attributes(parent)
        return self.attributes(self.child(parent, name))

    async def getattr(self, inode, ctx=None):
        return self.attributes(inode)

    async def setattr(self, inode, attr, fields, fh, ctx):
        node = self.nodes[inode]
        if fields.update_size:
            node.truncate(attr.st_size)
        if fields.update_mode:
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(attr.st_mode)
        return self.attributes(inode)

    def put(self, parent, name, node):
        if name in self.nodes[parent].names:
            raise pyfuse3.FUSEError(errno.EEXIST)
        inode = self.add(node)
        self.nodes[parent].names[name] = inode
        if parent == TOP:
            self.nodes[TOP].sync()
        return inode

    async def mkdir(self, parent, name, mode, ctx):
        return self.attributes(self.put(parent, name, Folder(stat.S_IFDIR | stat.S_IMODE(mode))))

    async def create(self, parent, name, mode, flags, ctx):
        inode = self.put(parent, name, File(stat.S_IFREG | stat.S_IMODE(mode), name))
        return self.opened(inode), self.attributes(inode)

    async def unlink(self, parent, name, ctx):
        self.child(parent, name)
        del self.nodes[parent].names[name]

    async def rmdir(self, parent, name, ctx):
        if self.nodes[self.child(parent, name)].names:
            raise pyfuse3.FUSEError(errno.ENOTEMPTY)
        del self.nodes[parent].names[name]

    async def rename(self, old_parent, old_name, new_parent, new_name, flags, ctx):
        inode = self.child(old_parent, old_name)
        del self.nodes[old_parent].names[old_name]
        self.nodes[new_parent].names[new_name] = inode

    async def open(self, inode, flags, ctx):
        if flags & os.O_TRUNC:
            self.nodes[inode].truncate(0)
        return self.opened(inode)

    def opened(self, inode):
        return pyfuse3.FileInfo(fh=inode, direct_io=not self.nodes[inode].is_mapped)

    async def read(self, fh, offset, size):
        return bytes(self.nodes[fh].data[offset : offset + size])

    async def write(self, fh, offset, data):
        if fh == self.nodes[TOP].names[b"power"]:
            words = bytes(data).decode().split()
            if words[0] == "room":
                self.room = int(words[1])
            else:
                self.cut(words[1], words[2], words[3])
            return len(data)
        node = self.nodes[fh]
        more = max(0, offset + len(data) - len(node.data))
        if 0 <= self.room < more:
            raise pyfuse3.FUSEError(errno.ENOSPC)
        if self.room > 0:
            self.room -= more
        node.write(offset, data)
        return len(data)

    async def fsync(self, fh, datasync):
        self.nodes[fh].sync()

    async def fsyncdir(self, fh, datasync):
        self.nodes[fh].sync()

    async def opendir(self, inode, ctx):
        return inode

    async def readdir(self, fh, start, token):
        for number, (name, inode) in enumerate(sorted(self.nodes[fh].names.items())):
            if number >= start and not pyfuse3.readdir_reply(token, name, self.attributes(inode), number + 1):
                return

    async def statfs(self, ctx):
        data = pyfuse3.StatvfsData()
        data.f_bsize = data.f_frsize = PAGE
        data.f_blocks = data.f_bfree = data.f_bavail = 1 << 20
        data.f_files = data.f_ffree = data.f_favail = 1 << 20
        data.f_namemax = 255
        return data


if __name__ == "__main__":
    options = set(pyfuse3.default_options) | {"fsname=forgetful"}
    options.discard("default_permissions")
    pyfuse3.init(Forgetful(), sys.argv[1], options)
    print("mounted", flush=True)
    try:
        trio.run(pyfuse3.main)
    finally:
        pyfuse3.close(unmount=True)
