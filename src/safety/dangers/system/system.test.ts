import { expect, test } from "vitest";
import { everyProgram } from "../index.ts";
import { effectsOf, told } from "../testing-effects.ts";
import { holdUp } from "../testing-rows.ts";

const rows = everyProgram();

const tells = (line: string): string[] => told(effectsOf([], line)).map((words) => words.trim());
const severities = (line: string): string[] =>
  tells(line).flatMap((words) => /^danger (\w+)/u.exec(words)?.[1] ?? []);

test.each([
  "reboot",
  "shutdown -h now",
  "halt -p",
  "poweroff -f",
  "init 0",
  "telinit 6",
  "systemctl reboot -i",
  "systemctl isolate rescue.target",
  "loginctl poweroff",
  "kexec -e",
  "rtcwake -m off -s 60",
  "mkfs -t ext4 /dev/sda1",
  "mkfs.xfs -f /dev/sdb",
  "mkswap /dev/sdb",
  "fdisk /dev/sda",
  "parted -s /dev/sda rm 1",
  "wipefs -a /dev/sda",
  "cryptsetup luksFormat /dev/sda",
  "lvremove -f a/b",
  "mdadm --stop /dev/md0",
  "zfs destroy -r tank",
  "zpool create a sdb",
  "btrfs subvolume delete x",
  "hdparm --security-erase p /dev/sda",
  "blkdiscard /dev/sda",
  "badblocks -w /dev/sda",
  "debugfs -w /dev/sda1",
  "fsck -y /dev/sda1",
  "tune2fs -L x /dev/sda",
  "mount -o remount,rw /",
  "grub-install /dev/sda",
  "efibootmgr -b 0 -B",
  "flashrom -w x",
  "flashrom -p internal -w bios.rom",
  "insmod x.ko",
  "modprobe x",
  "rmmod x",
  "sysctl -w a=1",
  "sysctl a=1",
  "sysctl -p x.conf",
])("commands on power, disks and the kernel are critical: %s", (line) => {
  expect(severities(line)).toContain("critical");
});

test.each([
  ["kill -9 -1", "critical"],
  ["kill -- -1", "critical"],
  ["kill -s KILL -- -1", "critical"],
  ["kill -TERM -1", "critical"],
  ["kill 1", "critical"],
  ["kill -9 123", "high"],
  ["kill -KILL 123", "high"],
  ["kill -SIGKILL 123", "high"],
  ["kill -s 9 123", "high"],
  ["kill -n 9 123", "high"],
  ["kill -- -123", "high"],
  ["kill 123", "medium"],
  ["kill -TERM ?pid", "medium"],
  ["pkill -f vite", "high"],
  ["pkill -KILL node", "high"],
  ["pkill -f .", "critical"],
  ["pkill -9 -u dev", "critical"],
  ["killall -9 node", "high"],
  ["killall -u dev", "critical"],
  ["killall5", "critical"],
  ["fuser -k 3000/tcp", "high"],
  ["fuser -km /", "critical"],
])("stopping processes: %s is %s", (line, severity) => {
  expect(severities(line)).toEqual([severity]);
});

test.each([
  ["crontab x.txt", "critical"],
  ["crontab -", "critical"],
  ["crontab -u dev -e", "critical"],
  ["crontab -r", "high"],
  ["at now", "critical"],
  ["atrm 1", "high"],
  ["systemctl --user enable x", "critical"],
  ["systemctl restart x", "high"],
  ["service x stop", "high"],
  ["update-rc.d x defaults", "critical"],
  ["usermod -aG docker dev", "critical"],
  ["adduser dev sudo", "critical"],
  ["gpasswd -a dev wheel", "critical"],
  ["usermod -L dev", "high"],
  ["useradd x", "high"],
  ["userdel -r x", "critical"],
  ["visudo", "critical"],
  ["passwd root", "high"],
  ["iptables -F", "high"],
  ["ufw disable", "high"],
  ["nft flush ruleset", "high"],
  ["setenforce 0", "high"],
  ["ip link set eth0 down", "high"],
  ["ip netns exec x ls", "high"],
  ["ifconfig eth0 down", "high"],
  ["route add default gw a", "high"],
  ["journalctl --vacuum-size=1M", "high"],
  ["launchctl load x", "critical"],
  ["diskutil eraseDisk a b c", "critical"],
  ["csrutil disable", "critical"],
  ["defaults write a b c", "high"],
  ["schtasks /create /tn x", "critical"],
  ["reg add HKCU", "high"],
])("services, schedules, users and the network: %s is %s", (line, severity) => {
  expect(severities(line)).toEqual([severity]);
});

test.each([
  "systemctl status x",
  "systemctl list-units",
  "systemctl",
  "service x status",
  "loginctl list-sessions",
  "shutdown -c",
  "fdisk -l",
  "parted -l",
  "parted /dev/sda print",
  "wipefs /dev/sda",
  "mount",
  "losetup -a",
  "cryptsetup status x",
  "mdadm --detail /dev/md0",
  "zpool status",
  "zfs list",
  "btrfs filesystem df /",
  "lvs",
  "hdparm -I /dev/sda",
  "badblocks /dev/sda",
  "tune2fs -l /dev/sda",
  "sysctl -a",
  "sysctl a.b",
  "dmesg -T",
  "modprobe -n x",
  "efibootmgr -v",
  "kill -l",
  "kill -0 1",
  "pkill -0 x",
  "fuser 3000/tcp",
  "crontab -l",
  "at -l",
  "atq",
  "chage -l dev",
  "passwd -S",
  "ip a",
  "ip -br addr show",
  "ip route",
  "ip",
  "ifconfig",
  "ifconfig eth0",
  "route -n",
  "arp -a",
  "nmcli device status",
  "iptables -L -n",
  "ufw status",
  "nft list ruleset",
  "firewall-cmd --list-all",
  "journalctl -u x -n 5",
  "defaults read",
  "diskutil list",
  "csrutil status",
  "launchctl list",
  "gpg --list-keys",
  "gpg -K",
  "reboot --help",
  "mkfs --version",
])("a read-only command has no effect: %s", (line) => {
  expect(tells(line)).toEqual([]);
});

test.each([
  ["at -f x.sh now", "loads x.sh shell"],
  ["batch", "interprets-input shell"],
  ["ip netns exec name rm -rf x", "runs rm -rf x"],
  ["gpg -d x.gpg", "prints decoded"],
  ["gpg -o out -d x.gpg", "writes out replaces"],
  ["gpg --export-secret-keys", "prints secret"],
  ["mkfs.ext4 disk.img", "writes disk.img replaces"],
  ['osascript -e do_shell_script_"id"', "interprets shell id"],
  ["xdg-open https://x.example", "fetches https://x.example"],
  ["open Calculator.app", "loads Calculator.app other"],
])("files, data flows and code are reported: %s", (line, effect) => {
  expect(tells(line)).toContain(effect);
});

test.each([
  "iptables -A INPUT -s 10.0.0.1 -j ACCEPT",
  "passwd -l dev",
  "chsh -S dev",
  "umount -s /mnt",
  "eject -s",
  "swapoff --show /dev/sda2",
  "efibootmgr -v -o 0001",
  "fsck",
  "ufw list",
])("what only looks with another program is not excused here: %s", (line) => {
  expect(tells(line)).not.toEqual([]);
});

test("no system row throws, whatever the arguments", () => holdUp(rows));
